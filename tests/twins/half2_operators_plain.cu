#include <cuda_fp16.h>

__global__ void half2_operators(const half2 *x, half2 *y, half a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        half2 scale = make_half2(a, a);
        half2 v = x[i];
        v = __hadd2(__hmul2(v, scale), y[i]);
        v = __hadd2(v, scale);
        y[i] = __hneg2(v);
    }
}
