// A lambda called where it stands, and generic ones: plain C
#include <cuda_runtime.h>

__global__ void mix(const float *x, double *y, int N)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float a = x[i];
        const float m = a + 0.5f * (2.0f - a);
        double c = m, d = y[i];
        y[i] = c + 0.25 * (d - c);
    }
}

void run(float *x, double *y, int N)
{
    mix<<<(N + 255) / 256, 256>>>(x, y, N);
}
