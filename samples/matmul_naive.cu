// The plain matrix product under its long name, launched with flat 32 x 8 blocks.
//
// The shape of the block changes nothing in what has to be computed and moved. It changes which
// threads share a row or a column, and so how much of the traffic the first-level cache absorbs.
#include <cmath>
#include <cstdio>
#include <cstdlib>

__global__ void matmul_naive(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && column < N) {
        float sum = 0.0f;
        for (int k = 0; k < N; ++k)
            sum += A[row * N + k] * B[k * N + column];
        C[row * N + column] = sum;
    }
}

int main(int argc, char **argv)
{
    int N = 1001; // no multiple of anything: the guard does work
    if (argc > 1)
        N = atoi(argv[1]);
    float *host = (float *)malloc(N * N * sizeof(float));
    for (int i = 0; i < N * N; ++i)
        host[i] = (i % 7) * 0.25f;

    float *A, *B, *C;
    cudaMalloc((void **)&A, N * N * sizeof(float));
    cudaMalloc((void **)&B, N * N * sizeof(float));
    cudaMalloc((void **)&C, N * N * sizeof(float));
    cudaMemcpy(A, host, N * N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(B, host, N * N * sizeof(float), cudaMemcpyHostToDevice);

    dim3 threadsPerBlock(32, 8);
    dim3 blocksPerGrid((N + 31) / 32, (N + 7) / 8);
    matmul_naive<<<blocksPerGrid, threadsPerBlock>>>(A, B, C, N);

    float *result = (float *)malloc(N * N * sizeof(float));
    cudaMemcpy(result, C, N * N * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int j = 0; j < N; j += 50) { // one row is enough
        float expected = 0.0f;
        for (int k = 0; k < N; ++k)
            expected += host[k] * host[k * N + j];
        if (fabsf(result[j] - expected) > 1e-3f * expected)
            ++wrong;
    }
    printf("matmul_naive, N = %d: %d wrong\n", N, wrong);
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
    free(host);
    free(result);
    return wrong ? 1 : 0;
}
