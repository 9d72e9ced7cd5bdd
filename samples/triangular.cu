// Lower-triangular matrix times a vector, one thread for each row.
//
// Row i has i + 1 elements, so the threads do unequal work: the last one does N times what the
// first does, and a warp takes as long as its longest row.
#include <cmath>
#include <cstdio>
#include <cstdlib>

__global__ void triangular(const float *L, const float *x, float *y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float acc = 0.0f;
        for (int j = 0; j <= i; ++j)
            acc += L[i * N + j] * x[j];
        y[i] = acc;
    }
}

int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 2000;
    float *L, *x, *y;
    cudaMallocManaged(&L, N * N * sizeof(float));
    cudaMallocManaged(&x, N * sizeof(float));
    cudaMallocManaged(&y, N * sizeof(float));
    for (int i = 0; i < N * N; ++i)
        L[i] = i % 4;
    for (int i = 0; i < N; ++i)
        x[i] = i % 3;

    int threads = 128;
    int blocks = (N + threads - 1) / threads;
    triangular<<<blocks, threads>>>(L, x, y, N);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int i = 0; i < N; ++i) {
        float expected = 0.0f;
        for (int j = 0; j <= i; ++j)
            expected += L[i * N + j] * x[j];
        wrong += fabsf(y[i] - expected) > 1e-2f;
    }
    printf("triangular, N = %d: %d wrong\n", N, wrong);
    cudaFree(L);
    cudaFree(x);
    cudaFree(y);
    return wrong != 0;
}
