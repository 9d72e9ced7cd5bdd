// Matrix product C = A * B of square matrices, one thread for each element of C.
//
// Every thread reads a row of A and a column of B: 2 N operations for 2 N loads, 1/4 FLOP/B if
// every load went to memory. But the matrices hold only 3 N^2 elements, so with perfect reuse
// the intensity is N/6 and grows with N. Everything between the two is up to the caches.
#include <cmath>
#include <cstdio>
#include <cstdlib>

__global__ void matmul(const float *A, const float *B, float *C, int N)
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
    int N = argc > 1 ? atoi(argv[1]) : 1024;
    size_t bytes = (size_t)N * N * sizeof(float);
    float *A, *B, *C;
    cudaMallocManaged(&A, bytes);
    cudaMallocManaged(&B, bytes);
    cudaMallocManaged(&C, bytes);
    for (int i = 0; i < N * N; ++i) {
        A[i] = (i % 9) - 4.0f;
        B[i] = (i % 5) - 2.0f;
    }

    dim3 block(16, 16);
    dim3 grid((N + block.x - 1) / block.x, (N + block.y - 1) / block.y);
    matmul<<<grid, block>>>(A, B, C, N);
    cudaError_t status = cudaDeviceSynchronize();
    if (status != cudaSuccess) {
        fprintf(stderr, "matmul: %s\n", cudaGetErrorString(status));
        return 1;
    }

    int wrong = 0;
    for (int row = 0; row < N; row += 101)
        for (int column = 0; column < N; column += 103) {
            float expected = 0.0f;
            for (int k = 0; k < N; ++k)
                expected += A[row * N + k] * B[k * N + column];
            wrong += fabsf(C[row * N + column] - expected) > 1e-2f;
        }
    printf("matmul, N = %d: %d wrong\n", N, wrong);
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
    return wrong != 0;
}
