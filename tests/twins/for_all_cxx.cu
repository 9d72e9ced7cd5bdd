// A loop over indices with a lambda, as portability layers have it: C++
#include <cuda_runtime.h>

template <typename Body> __device__ __forceinline__ void for_all(int n, Body &&body)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        body(i);
}

__global__ void triad(float *a, const float *b, const float *c, float q, int N)
{
    for_all(N, [=](int i) { a[i] = b[i] + q * c[i]; });
    float most = 0.0f;
    for_all(N, [&](int i) { most = fmaxf(most, a[i]); });
    a[threadIdx.x] = most;
}

void run(float *a, float *b, float *c, int N)
{
    triad<<<128, 256>>>(a, b, c, 2.0f, N);
}
