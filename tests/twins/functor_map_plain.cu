// A functor from the host, as the argument of a kernel template: plain C
#include <cuda_runtime.h>

__global__ void map(const float *x, float *y, int N)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x) {
        float v = x[i];
        y[i] = v * v + 1.0f;
    }
}

void run(float *x, float *y, int N)
{
    map<<<64, 256>>>(x, y, N);
}
