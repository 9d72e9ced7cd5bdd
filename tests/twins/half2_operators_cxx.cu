#include <cuda_fp16.h>

__global__ void half2_operators(const half2 *x, half2 *y, half a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        half2 scale = __half2half2(a);
        half2 v = x[i];
        v = v * scale + y[i];
        v += scale;
        y[i] = -v;
    }
}
