// A class with a base: plain C
#include <cuda_runtime.h>

__global__ void transform(const float *x, float *y, float a, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        y[i] = fminf(a * x[i] + 1.0f, 6.0f * a) + (a * 2.0f + 1.0f);
}

void run(float *x, float *y, int N)
{
    transform<<<(N + 255) / 256, 256>>>(x, y, 2.0f, N);
}
