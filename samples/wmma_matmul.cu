// Matrix product on the tensor cores: halves in, floats out, one warp for a 16 x 16 tile of C.
//
// The warp holds its tile in fragments and multiplies 16 x 16 x 16 at once. N must be a multiple
// of 64, since a block of four by four warps covers a 64 x 64 square.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mma.h>

using namespace nvcuda;

__global__ void wmma_matmul(const half *A, const half *B, float *C, int N)
{
    int tile_row = blockIdx.y * blockDim.y + threadIdx.y;
    int tile_col = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (tile_row * 16 >= N || tile_col * 16 >= N)
        return;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
    wmma::fill_fragment(acc, 0.0f);
    for (int k = 0; k < N; k += 16) {
        wmma::load_matrix_sync(a, A + tile_row * 16 * N + k, N);
        wmma::load_matrix_sync(b, B + k * N + tile_col * 16, N);
        wmma::mma_sync(acc, a, b, acc);
    }
    wmma::store_matrix_sync(C + tile_row * 16 * N + tile_col * 16, acc, N, wmma::mem_row_major);
}

int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 1024;
    half *A, *B;
    float *C;
    cudaMallocManaged(&A, N * N * sizeof(half));
    cudaMallocManaged(&B, N * N * sizeof(half));
    cudaMallocManaged(&C, N * N * sizeof(float));
    for (int i = 0; i < N * N; ++i) {
        A[i] = __float2half((i % 5) - 2.0f);
        B[i] = __float2half((i % 3) - 1.0f);
    }

    dim3 block(128, 4); // four warps in a row, four rows of warps
    dim3 grid(N / 64, N / 64);
    wmma_matmul<<<grid, block>>>(A, B, C, N);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int i = 0; i < N; i += 67) {
        float expected = 0.0f;
        for (int k = 0; k < N; ++k)
            expected += __half2float(A[i * N + k]) * __half2float(B[k * N + i]);
        wrong += fabsf(C[i * N + i] - expected) > 1e-2f;
    }
    printf("wmma_matmul, N = %d: %d wrong\n", N, wrong);
    cudaFree(A);
    cudaFree(B);
    cudaFree(C);
    return wrong != 0;
}
