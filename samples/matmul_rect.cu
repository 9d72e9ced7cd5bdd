// Matrix product of rectangles: C (M x N) = A (M x K) * B (K x N), all row major.
//
// The intensity now depends on the three sizes together. A thin matrix (say M = 1, a
// matrix-vector product) has hardly any reuse, however large the other two are.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void matmul_rect(const float *A, const float *B, float *C, int M, int N, int K)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N)
        return;
    float acc = 0.0f;
    for (int k = 0; k < K; k++)
        acc += A[row * K + k] * B[k * N + col];
    C[row * N + col] = acc;
}

int main(int argc, char **argv)
{
    int M = argc > 3 ? atoi(argv[1]) : 384;
    int N = argc > 3 ? atoi(argv[2]) : 256;
    int K = argc > 3 ? atoi(argv[3]) : 500;
    std::vector<float> a(M * K), b(K * N), c(M * N);
    for (size_t i = 0; i < a.size(); i++)
        a[i] = float(i % 11);
    for (size_t i = 0; i < b.size(); i++)
        b[i] = float(i % 6) - 2.0f;

    float *A, *B, *C;
    cudaMalloc(&A, a.size() * sizeof(float));
    cudaMalloc(&B, b.size() * sizeof(float));
    cudaMalloc(&C, c.size() * sizeof(float));
    cudaMemcpy(A, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(B, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);

    dim3 block(16, 16);
    dim3 grid((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
    matmul_rect<<<grid, block>>>(A, B, C, M, N, K);
    cudaMemcpy(c.data(), C, c.size() * sizeof(float), cudaMemcpyDeviceToHost);

    int wrong = 0;
    for (int row = 0; row < M; row += 37)
        for (int col = 0; col < N; col += 41) {
            float expected = 0.0f;
            for (int k = 0; k < K; k++)
                expected += a[row * K + k] * b[k * N + col];
            if (fabsf(c[row * N + col] - expected) > 1e-2f)
                wrong++;
        }
    printf("matmul_rect, %d x %d x %d: %d wrong\n", M, N, K, wrong);
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
    return wrong != 0;
}
