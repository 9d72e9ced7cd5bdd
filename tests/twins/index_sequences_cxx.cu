// Numbers for a pack: the library's, a lambda's, and those that code before C++14 has of its own.
#include <utility>

template <std::size_t... I>
__device__ float dot(const float *a, const float *b, std::index_sequence<I...>) {
    return ((a[I] * b[I]) + ...);
}

template <typename T, T... I>
__device__ float total(const float *a, std::integer_sequence<T, I...>) {
    return (a[I] + ...) + sizeof...(I);
}

template <int... I> struct Indices {};
template <int N, int... I> struct MakeIndices : MakeIndices<N - 1, N - 1, I...> {};
template <int... I> struct MakeIndices<0, I...> { using type = Indices<I...>; };

template <int... I>
__device__ float largest(const float *a, Indices<I...>) {
    float found = a[0];
    ((found = fmaxf(found, a[I])), ...);
    return found;
}

__global__ void dots(float *out, const float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = dot(a + 4 * i, b + 4 * i, std::make_index_sequence<4>{});
}

__global__ void totals(float *out, const float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = total(a + 3 * i, std::make_integer_sequence<int, 3>());
}

__global__ void maxima(float *out, const float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = largest(a + 3 * i, typename MakeIndices<3>::type{});
}

void launch(float *out, const float *a, const float *b, int n) {
    dots<<<(n + 255) / 256, 256>>>(out, a, b, n);
    totals<<<(n + 255) / 256, 256>>>(out, a, n);
    maxima<<<(n + 255) / 256, 256>>>(out, a, n);
}
