__global__ void group_reduce(const float *x, float *y)
{
    __shared__ float partial[8];
    float value = x[blockIdx.x * 256 + threadIdx.x];
    for (int offset = 16; offset > 0; offset >>= 1)
        value += __shfl_xor_sync(0xffffffff, value, offset);
    if (threadIdx.x % 32 == 0)
        partial[threadIdx.x / 32] = value;
    __syncthreads();
    y[blockIdx.x * 256 + threadIdx.x] = partial[0];
}
