// Rectified linear unit: y = max(x, 0).
//
// A maximum is a comparison and counts as no floating-point operation, so the intensity is 0.
// The kernel costs what a copy costs.
#include <cstdio>
#include <cstdlib>

__global__ void relu(const float *x, float *y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        y[i] = fmaxf(x[i], 0.0f);
}

int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 1 << 20;
    float *x, *y;
    cudaMallocManaged(&x, N * sizeof(float));
    cudaMallocManaged(&y, N * sizeof(float));
    for (int i = 0; i < N; ++i)
        x[i] = (i % 7) - 3.0f;

    const dim3 block(256), grid((N + 255) / 256);
    relu<<<grid, block>>>(x, y, N);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int i = 0; i < N; ++i)
        wrong += y[i] != (x[i] > 0.0f ? x[i] : 0.0f);
    printf("relu, N = %d: %d wrong\n", N, wrong);
    cudaFree(x);
    cudaFree(y);
    return wrong != 0;
}
