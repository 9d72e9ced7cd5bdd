// Matrix transpose through a 32 x 32 tile in shared memory; N must be a multiple of 32.
//
// The tile is turned inside the chip, so that reads and writes both run along rows. Its rows are
// one element longer than needed: without that, a column would lie in one bank.
#include <cstdio>
#include <cstdlib>

#define TILE 32
#define ROWS 8

__global__ void transpose_shared(const float *in, float *out, int N)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * N + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        out[(y + j) * N + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 2048;
    if (N % TILE) {
        printf("N must be a multiple of %d\n", TILE);
        return 2;
    }
    float *in, *out;
    cudaMallocManaged(&in, N * N * sizeof(float));
    cudaMallocManaged(&out, N * N * sizeof(float));
    for (int i = 0; i < N * N; ++i)
        in[i] = i % 9973;

    const dim3 grid(N / TILE, N / TILE, 1);
    const dim3 block(TILE, ROWS, 1);
    transpose_shared<<<grid, block>>>(in, out, N);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int y = 0; y < N; ++y)
        for (int x = 0; x < N; ++x)
            wrong += out[x * N + y] != in[y * N + x];
    printf("transpose_shared, N = %d: %d wrong\n", N, wrong);
    cudaFree(in);
    cudaFree(out);
    return wrong != 0;
}
