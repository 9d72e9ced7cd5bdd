// Matrix product that accumulates straight into C in global memory.
//
// C could overlap A or B as far as the compiler knows, so it has to read and write C in every
// step: three loads and a store where a local variable would need two loads.
#include <cmath>
#include <cstdio>
#include <cstdlib>

__global__ void matmul_in_place(float *A, float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N)
        for (int k = 0; k < N; ++k)
            C[row * N + col] += A[row * N + k] * B[k * N + col];
}

int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 512;
    float *A, *B, *C;
    cudaMallocManaged(&A, N * N * sizeof(float));
    cudaMallocManaged(&B, N * N * sizeof(float));
    cudaMallocManaged(&C, N * N * sizeof(float));
    for (int i = 0; i < N * N; ++i) {
        A[i] = i % 4;
        B[i] = i % 3;
        C[i] = 1.0f;
    }

    dim3 threads(16, 16);
    dim3 blocks((N + threads.x - 1) / threads.x, (N + threads.y - 1) / threads.y);
    matmul_in_place<<<blocks, threads>>>(A, B, C, N);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int col = 0; col < N; col += 17) {
        float expected = 1.0f;
        for (int k = 0; k < N; ++k)
            expected += A[3 * N + k] * B[k * N + col];
        wrong += fabsf(C[3 * N + col] - expected) > 1e-2f;
    }
    printf("matmul_in_place, N = %d: %d wrong\n", N, wrong);
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
    return wrong != 0;
}
