// Overloaded device functions and partial specialisation: plain C
#include <cuda_runtime.h>

__global__ void both(const float *x, const float2 *y, float *out, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float u = x[i];
        float a = u * u;
        float2 v = y[i];
        float bx = v.x * v.x, by = v.y * v.y;
        out[i] = 1.0f + a + a * a / 2 + expf(bx) + by;
    }
}

void run(float *x, float2 *y, float *o, int N)
{
    both<<<(N + 255) / 256, 256>>>(x, y, o, N);
}
