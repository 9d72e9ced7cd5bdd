#include <cub/cub.cuh>

template <int THREADS>
__global__ void block_reduce(const float *x, float *y, int n)
{
    typedef cub::BlockReduce<float, THREADS> Reduce;
    __shared__ typename Reduce::TempStorage temp;
    int i = blockIdx.x * THREADS + threadIdx.x;
    float value = i < n ? x[i] : 0.0f;
    float total = Reduce(temp).Sum(value);
    if (threadIdx.x == 0)
        y[blockIdx.x] = total;
}

template __global__ void block_reduce<128>(const float *, float *, int);
