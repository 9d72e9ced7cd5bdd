// Values weighted by a parameter pack: C++
#include <cuda_runtime.h>

template <typename T> __device__ T sum(T first) { return first; }
template <typename T, typename... Rest> __device__ T sum(T first, Rest... rest)
{
    return first + sum(rest...);
}
template <typename... Ts> __device__ float mean(Ts... values)
{
    return sum(values...) / sizeof...(Ts);
}

__global__ void smooth(const float *x, float *y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i < N - 1)
        y[i] = mean(x[i - 1], x[i], x[i + 1]);
}

void run(float *x, float *y, int N)
{
    smooth<<<(N + 255) / 256, 256>>>(x, y, N);
}
