// A trait chooses the type that is loaded: plain C
#include <cuda_runtime.h>

__global__ void copy(const float *x, float *y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N / 4) {
        const float4 *from = (const float4 *)x;
        ((float4 *)y)[i] = from[i];
    }
}

void run(float *x, float *y, int N)
{
    copy<<<N / 1024, 256>>>(x, y, N);
}
