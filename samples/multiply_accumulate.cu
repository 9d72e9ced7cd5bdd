// Multiply-accumulate C = A * B + C, element by element.
//
// The multiplication and the addition become one fused instruction, and C crosses the memory
// bus twice: once read, once written.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void multiply_accumulate(const float *A, const float *B, float *C, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        C[i] = A[i] * B[i] + C[i];
}

int main(int argc, char *argv[])
{
    int N = 1 << 20;
    if (argc > 1)
        N = atoi(argv[1]);
    std::vector<float> a(N, 3.0f), b(N), c(N, 1.0f);
    for (int i = 0; i < N; ++i)
        b[i] = i % 16;

    float *A = nullptr, *B = nullptr, *C = nullptr;
    cudaMalloc(&A, N * sizeof(float));
    cudaMalloc(&B, N * sizeof(float));
    cudaMalloc(&C, N * sizeof(float));
    cudaMemcpy(A, a.data(), N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(B, b.data(), N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(C, c.data(), N * sizeof(float), cudaMemcpyHostToDevice);

    const int blockSize = 256;
    const int numBlocks = (N + blockSize - 1) / blockSize;
    multiply_accumulate<<<numBlocks, blockSize>>>(A, B, C, N);
    cudaMemcpy(c.data(), C, N * sizeof(float), cudaMemcpyDeviceToHost);

    int wrong = 0;
    for (int i = 0; i < N; ++i)
        wrong += c[i] != 3.0f * (i % 16) + 1.0f;
    printf("multiply_accumulate, N = %d: %d wrong\n", N, wrong);
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
    return wrong != 0;
}
