// A number class that converts to float and back: C++
#include <cuda_runtime.h>

struct Fixed {
    int bits;
    __device__ explicit Fixed(float v) : bits(int(v * 256.0f)) {}
    __device__ operator float() const { return bits / 256.0f; }
};

__global__ void quantise(const float *x, float *y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        Fixed f(x[i]);
        float back = f;
        y[i] = back + float(f) * 2.0f - x[i];
    }
}

void run(float *x, float *y, int N)
{
    quantise<<<(N + 255) / 256, 256>>>(x, y, N);
}
