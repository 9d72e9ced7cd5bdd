// Overloaded device functions and partial specialisation: C++
#include <cuda_runtime.h>

namespace detail {
template <typename T, bool FAST> struct Exp {
    static __device__ T of(T v) { return exp(v); }
};
template <typename T> struct Exp<T, true> {
    static __device__ T of(T v) { return T(1) + v + v * v / 2; }
};
__device__ inline float load(const float *p) { return *p; }
__device__ inline float2 load(const float2 *p) { return *p; }
__device__ inline float square(float v) { return v * v; }
__device__ inline float2 square(float2 v) { return make_float2(v.x * v.x, v.y * v.y); }
}  // namespace detail

__global__ void both(const float *x, const float2 *y, float *out, int N)
{
    using namespace detail;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float a = square(load(x + i));
        float2 b = square(load(&y[i]));
        out[i] = Exp<float, true>::of(a) + detail::Exp<float, false>::of(b.x) + b.y;
    }
}

void run(float *x, float2 *y, float *o, int N)
{
    both<<<(N + 255) / 256, 256>>>(x, y, o, N);
}
