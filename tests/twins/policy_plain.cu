// A class that is put together from policies: plain C
#include <cuda_runtime.h>

__global__ void dense(const float *w, const float *x, float *y, int K, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        const float *weight = w + i * K;
        float sum = 0.5f;
        for (int k = 0; k < K; k++)
            sum += weight[k] * x[k];
        y[i] = sum;
    }
}

void run(float *w, float *x, float *y, int K, int N)
{
    dense<<<(N + 127) / 128, 128>>>(w, x, y, K, N);
}
