__device__ float sum(float value)
{
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down_sync(0xffffffff, value, offset);
    return value;
}

__global__ void tile_reduction(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = i < n ? x[i] : 0.0f;
    value = sum(value);
    if (threadIdx.x % 32 == 0)
        y[i / 32] = value;
}
