__global__ void asynchronous_copy(const float4 *x, float4 *y)
{
    __shared__ float4 tile[128];
    int i = blockIdx.x * 128 + threadIdx.x;
    tile[threadIdx.x] = x[i];
    __syncthreads();
    y[i] = tile[127 - threadIdx.x];
}
