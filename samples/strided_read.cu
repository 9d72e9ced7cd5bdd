// Reads every eighth element of an array.
//
// Memory moves whole 32-byte sectors, and each of these loads uses four bytes of one. The kernel
// needs 8 N bytes and moves 36 N.
#include <cstdio>
#include <cstdlib>

__global__ void strided_read(const float *in, float *out, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        out[i] = in[i * 8];
}

int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 1 << 18;
    float *in, *out;
    cudaMallocManaged(&in, 8 * N * sizeof(float));
    cudaMallocManaged(&out, N * sizeof(float));
    for (int i = 0; i < 8 * N; ++i)
        in[i] = i % 1021;

    dim3 block(256, 1, 1);
    dim3 grid((N + block.x - 1) / block.x, 1, 1);
    strided_read<<<grid, block>>>(in, out, N);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int i = 0; i < N; ++i)
        wrong += out[i] != in[8 * i];
    printf("strided_read, N = %d: %d wrong\n", N, wrong);
    cudaFree(in);
    cudaFree(out);
    return wrong != 0;
}
