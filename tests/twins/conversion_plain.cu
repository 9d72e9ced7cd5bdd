// A number class that converts to float and back: plain C
#include <cuda_runtime.h>

__global__ void quantise(const float *x, float *y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        int bits = (int)(x[i] * 256.0f);
        float back = bits / 256.0f;
        y[i] = back + bits / 256.0f * 2.0f - x[i];
    }
}

void run(float *x, float *y, int N)
{
    quantise<<<(N + 255) / 256, 256>>>(x, y, N);
}
