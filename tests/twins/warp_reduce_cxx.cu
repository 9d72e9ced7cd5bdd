#include <cub/cub.cuh>

__global__ void warp_reduce(const float *x, float *largest, float *total)
{
    using Reduce = cub::WarpReduce<float>;
    __shared__ Reduce::TempStorage temp[4];
    int warp = threadIdx.x / 32, i = blockIdx.x * 128 + threadIdx.x;
    float value = x[i];
    float most = Reduce(temp[warp]).Reduce(value, cub::Max());
    float sum = Reduce(temp[warp]).Sum(value);
    largest[i] = most;
    total[i] = sum;
}
