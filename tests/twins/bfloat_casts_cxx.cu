#include <cuda_bf16.h>

__global__ void bfloat_casts(const __nv_bfloat16 *x, __nv_bfloat16 *y, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n) {
        __nv_bfloat162 pair = *reinterpret_cast<const __nv_bfloat162 *>(&x[i]);
        float2 wide = __bfloat1622float2(pair);
        wide.x = wide.x * 2.0f + wide.y;
        *reinterpret_cast<__nv_bfloat162 *>(&y[i]) = __float22bfloat162_rn(wide);
    }
}
