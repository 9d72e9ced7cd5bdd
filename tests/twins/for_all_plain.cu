// A loop over indices with a lambda, as portability layers have it: plain C
#include <cuda_runtime.h>

__global__ void triad(float *a, const float *b, const float *c, float q, int N)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
        a[i] = b[i] + q * c[i];
    float most = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += gridDim.x * blockDim.x)
        most = fmaxf(most, a[i]);
    a[threadIdx.x] = most;
}

void run(float *a, float *b, float *c, int N)
{
    triad<<<128, 256>>>(a, b, c, 2.0f, N);
}
