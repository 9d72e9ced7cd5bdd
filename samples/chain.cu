// Scale, shift and clamp an array: as three kernels, and fused into one.
//
// The arithmetic is the same. The three kernels write two intermediate arrays and read them back,
// 24 N bytes in all; the fused one keeps them in registers and moves 8 N.
#include <cstdio>
#include <cstdlib>

__global__ void scale_by(const float *a, float *b, float s, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) b[i] = a[i] * s;
}

__global__ void add_bias(const float *b, float *c, float bias, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) c[i] = b[i] + bias;
}

__global__ void clamp_low(const float *c, float *d, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) d[i] = c[i] > 0.0f ? c[i] : 0.0f;
}

__global__ void chain_fused(const float *a, float *d, float s, float bias, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float v = a[i] * s + bias;
        d[i] = v > 0.0f ? v : 0.0f;
    }
}

int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 1 << 20;
    float s = 1.5f, bias = -3.0f;
    float *a, *b, *c, *d, *fused;
    cudaMallocManaged(&a, N * sizeof(float));
    cudaMallocManaged(&b, N * sizeof(float));
    cudaMallocManaged(&c, N * sizeof(float));
    cudaMallocManaged(&d, N * sizeof(float));
    cudaMallocManaged(&fused, N * sizeof(float));
    for (int i = 0; i < N; ++i)
        a[i] = i % 5;

    const int block = 256;
    const int grid = (N + block - 1) / block;
    scale_by<<<grid, block>>>(a, b, s, N);
    add_bias<<<grid, block>>>(b, c, bias, N);
    clamp_low<<<grid, block>>>(c, d, N);
    chain_fused<<<grid, block>>>(a, fused, s, bias, N);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int i = 0; i < N; ++i) {
        float v = a[i] * s + bias;
        float expected = v > 0.0f ? v : 0.0f;
        wrong += d[i] != expected || fused[i] != expected;
    }
    printf("chain, N = %d: %d wrong\n", N, wrong);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(d);
    cudaFree(fused);
    return wrong != 0;
}
