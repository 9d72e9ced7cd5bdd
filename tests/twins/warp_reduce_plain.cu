__global__ void warp_reduce(const float *x, float *largest, float *total)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    float value = x[i], most = value, sum = value;
    for (int offset = 16; offset > 0; offset /= 2)
        most = fmaxf(most, __shfl_down_sync(0xffffffff, most, offset));
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    largest[i] = most;
    total[i] = sum;
}
