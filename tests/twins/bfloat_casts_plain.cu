#include <cuda_bf16.h>

__global__ void bfloat_casts(const __nv_bfloat16 *x, __nv_bfloat16 *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (2 * i < n) {
        __nv_bfloat162 pair = ((const __nv_bfloat162 *)x)[i];
        float first = __bfloat162float(pair.x), second = __bfloat162float(pair.y);
        first = first * 2.0f + second;
        ((__nv_bfloat162 *)y)[i] = __floats2bfloat162_rn(first, second);
    }
}
