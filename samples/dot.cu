// Dot product: a grid-stride loop, a tree of additions in shared memory, one atomic per block.
//
// Per element two operations and eight bytes: 1/4 FLOP/B for long vectors. The tree costs 255
// additions a block, which a fixed number of blocks makes negligible.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#define BLOCK 256

__global__ void dot(const float *x, const float *y, float *s, int N)
{
    __shared__ float partial[BLOCK];
    float sum = 0.0f;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < N; i += gridDim.x * BLOCK)
        sum += x[i] * y[i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int step = BLOCK / 2; step > 0; step >>= 1) {
        if (threadIdx.x < step)
            partial[threadIdx.x] += partial[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(s, partial[0]);
}

int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 1 << 22;
    int blocks = argc > 2 ? atoi(argv[2]) : 1056;
    float *x, *y, *s;
    cudaMallocManaged(&x, N * sizeof(float));
    cudaMallocManaged(&y, N * sizeof(float));
    cudaMallocManaged(&s, sizeof(float));
    double expected = 0.0;
    for (int i = 0; i < N; ++i) {
        x[i] = 0.001f * (i % 100);
        y[i] = 0.5f;
        expected += (double)x[i] * y[i];
    }
    *s = 0.0f;

    dot<<<blocks, BLOCK>>>(x, y, s, N);
    cudaDeviceSynchronize();

    double error = fabs(*s - expected) / expected;
    printf("dot, N = %d: %g, relative error %g\n", N, *s, error);
    cudaFree(x);
    cudaFree(y);
    cudaFree(s);
    return error > 1e-3;
}
