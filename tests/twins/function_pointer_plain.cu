// Functions as template arguments and through pointers: plain C
#include <cuda_runtime.h>

__device__ float gelu(float x) { return 0.5f * x * (1.0f + erff(x * 0.7071f)); }
__device__ float silu(float x) { return x / (1.0f + expf(-x)); }

__global__ void mix(const float *x, float *y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float v = x[i];
        y[i] = gelu(v) * v + silu(x[i]) + gelu(gelu(x[i])) + tanhf(tanhf(0.5f * x[i]));
    }
}

void run(float *x, float *y, int N)
{
    mix<<<(N + 255) / 256, 256>>>(x, y, N);
}
