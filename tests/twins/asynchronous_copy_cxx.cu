#include <cuda_pipeline.h>

__global__ void asynchronous_copy(const float4 *x, float4 *y)
{
    __shared__ float4 tile[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    __pipeline_memcpy_async(&tile[threadIdx.x], &x[i], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    y[i] = tile[127 - threadIdx.x];
}
