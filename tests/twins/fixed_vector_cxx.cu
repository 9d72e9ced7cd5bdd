// A vector of fixed length as a class template: C++
#include <cuda_runtime.h>

template <typename T, int N> struct Vec {
    T v[N];
    __device__ T &operator[](int i) { return v[i]; }
    __device__ const T &operator[](int i) const { return v[i]; }
};
template <typename T, int N> __device__ T dot(const Vec<T, N> &a, const Vec<T, N> &b)
{
    T sum = T(0);
    for (int k = 0; k < N; k++)
        sum += a[k] * b[k];
    return sum;
}

__global__ void rows(const Vec<float, 8> *a, const Vec<float, 8> *b, float *out, int M)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M)
        out[i] = dot(a[i], b[i]);
}

void run(Vec<float, 8> *a, Vec<float, 8> *b, float *o, int M)
{
    rows<<<(M + 127) / 128, 128>>>(a, b, o, M);
}
