// Reads one element a hundred times and adds it up with changing weights.
//
// Written, there are a hundred loads; a compiler keeps one, since nothing changes A in between.
// The requested bytes (404 N) and the bytes that must move (8 N) are fifty times apart.
#include <cmath>
#include <cstdio>
#include <cstdlib>

__global__ void repeat_add(const float *A, float *out, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float sum = 0.0f;
        for (int k = 0; k < 100; ++k)
            sum += A[i] * k;
        out[i] = sum;
    }
}

int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 1 << 20;
    float *A, *out;
    cudaMallocManaged(&A, N * sizeof(float));
    cudaMallocManaged(&out, N * sizeof(float));
    for (int i = 0; i < N; ++i)
        A[i] = i % 13;

    int threads = 256;
    repeat_add<<<(N + threads - 1) / threads, threads>>>(A, out, N);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int i = 0; i < N; ++i)
        wrong += fabsf(out[i] - 4950.0f * (i % 13)) > 1.0f; // 0 + 1 + ... + 99 = 4950
    printf("repeat_add, N = %d: %d wrong\n", N, wrong);
    cudaFree(A);
    cudaFree(out);
    return wrong != 0;
}
