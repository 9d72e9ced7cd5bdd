// Adds two arrays of half-precision numbers, two at a time.
//
// One instruction on a __half2 does two additions, and one load brings both operands' halves.
// Half as many bytes as in single precision, so twice the rate at the same bandwidth.
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>

__global__ void half_add(const __half2 *a, const __half2 *b, __half2 *c, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n2)
        c[i] = __hadd2(a[i], b[i]);
}

int main(int argc, char **argv)
{
    int n2 = argc > 1 ? atoi(argv[1]) : 1 << 20; // pairs
    __half2 *a, *b, *c;
    cudaMallocManaged(&a, n2 * sizeof(__half2));
    cudaMallocManaged(&b, n2 * sizeof(__half2));
    cudaMallocManaged(&c, n2 * sizeof(__half2));
    for (int i = 0; i < n2; ++i) {
        a[i] = __floats2half2_rn(i % 8, 1.0f);
        b[i] = __floats2half2_rn(0.5f, i % 4);
    }

    int threads = 256;
    half_add<<<(n2 + threads - 1) / threads, threads>>>(a, b, c, n2);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int i = 0; i < n2; ++i) {
        float2 sum = __half22float2(c[i]);
        wrong += sum.x != i % 8 + 0.5f || sum.y != 1.0f + i % 4;
    }
    printf("half_add, %d pairs: %d wrong\n", n2, wrong);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    return wrong != 0;
}
