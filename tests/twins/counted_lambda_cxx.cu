// A lambda that counts, and a loop over its count: C++
#include <cuda_runtime.h>

__global__ void pack(const float *x, float *y, int W, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
    int count = 0;
    auto push = [&count, y, i, W](float v) {
        y[i * W + count] = v * 2.0f;
        count++;
    };
    for (int k = 0; k < W; k++)
        push(x[i * W + k]);
    float sum = 0.0f;
    for (int k = 0; k < count; k++)
        sum += y[i * W + k];
    y[i * W] = sum;
}

void run(float *x, float *y, int W, int N)
{
    pack<<<(N + 127) / 128, 128>>>(x, y, W, N);
}
