// Matrix transpose without shared memory.
//
// Reads run along the rows, writes run down the columns: every lane of a warp writes into a
// different 32-byte sector, so one store instruction of a warp touches 32 of them instead of 4.
#include <cstdio>
#include <cstdlib>

__global__ void transpose_naive(const float *in, float *out, int N)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < N && y < N)
        out[x * N + y] = in[y * N + x];
}

int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 2048;
    float *in, *out;
    cudaMallocManaged(&in, N * N * sizeof(float));
    cudaMallocManaged(&out, N * N * sizeof(float));
    for (int i = 0; i < N * N; ++i)
        in[i] = i % 10007;

    dim3 block(32, 8);
    dim3 grid((N + block.x - 1) / block.x, (N + block.y - 1) / block.y);
    transpose_naive<<<grid, block>>>(in, out, N);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int y = 0; y < N; ++y)
        for (int x = 0; x < N; ++x)
            wrong += out[x * N + y] != in[y * N + x];
    printf("transpose_naive, N = %d: %d wrong\n", N, wrong);
    cudaFree(in);
    cudaFree(out);
    return wrong != 0;
}
