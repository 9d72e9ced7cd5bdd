// A matrix class with an index operator: plain C
#include <cuda_runtime.h>

__global__ void matmul(float *pa, float *pb, float *pc, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += pa[row * N + k] * pb[k * N + col];
        pc[row * N + col] = sum;
    }
}

void run(float *a, float *b, float *c, int N)
{
    matmul<<<dim3((N + 15) / 16, (N + 15) / 16), dim3(16, 16)>>>(a, b, c, N);
}
