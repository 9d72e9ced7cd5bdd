// Values weighted by a parameter pack: plain C
#include <cuda_runtime.h>

__global__ void smooth(const float *x, float *y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i < N - 1)
        y[i] = (x[i - 1] + (x[i] + x[i + 1])) / 3;
}

void run(float *x, float *y, int N)
{
    smooth<<<(N + 255) / 256, 256>>>(x, y, N);
}
