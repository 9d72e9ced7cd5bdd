__global__ void block_reduce(const float *x, float *y, int n)
{
    __shared__ float aggregates[32];
    int i = blockIdx.x * 128 + threadIdx.x;
    float value = i < n ? x[i] : 0.0f;
    for (int offset = 1; offset < 32; offset *= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    if (threadIdx.x % 32 == 0)
        aggregates[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int warp = 1; warp < 4; ++warp)
            value += aggregates[warp];
        y[blockIdx.x] = value;
    }
}
