// SAXPY: y = a * x + y in single precision.
//
// The BLAS routine that every course starts with. Two operations for twelve bytes, twice the
// intensity of a plain addition and still far to the left of every GPU's ridge point.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#define BLOCK_SIZE 256

__global__ void saxpy(int N, float a, const float *__restrict__ x, float *__restrict__ y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
    y[i] = a * x[i] + y[i];
}

int main(int argc, char **argv)
{
    int N = (argc > 1) ? atoi(argv[1]) : 1000000;
    const float a = 2.5f;

    float *x, *y;
    cudaMallocManaged(&x, N * sizeof(float));
    cudaMallocManaged(&y, N * sizeof(float));
    for (int i = 0; i < N; i++) {
        x[i] = 1.0f + i % 10;
        y[i] = 2.0f;
    }

    saxpy<<<(N + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(N, a, x, y);
    cudaDeviceSynchronize();

    float largest = 0.0f;
    for (int i = 0; i < N; i++)
        largest = fmaxf(largest, fabsf(y[i] - (a * (1.0f + i % 10) + 2.0f)));
    printf("saxpy, N = %d: largest error %g\n", N, largest);
    cudaFree(x);
    cudaFree(y);
    return largest > 1e-5f;
}
