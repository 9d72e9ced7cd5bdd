// Copies an array, one thread for each element.
//
// No arithmetic at all, so its time is the time of its 8 N bytes. Measure this one first: what
// it reaches is the bandwidth that the other kernels can hope for.
#include <cstdio>
#include <cstdlib>

__global__ void copy(const float *a, float *b, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        b[i] = a[i];
}

int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 1 << 22;
    float *a, *b;
    cudaMallocManaged(&a, N * sizeof(float));
    cudaMallocManaged(&b, N * sizeof(float));
    for (int i = 0; i < N; ++i)
        a[i] = i % 777;

    dim3 block(256);
    dim3 grid((N + block.x - 1) / block.x);
    copy<<<grid, block>>>(a, b, N);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int i = 0; i < N; ++i)
        if (b[i] != a[i])
            ++wrong;
    printf("copy, N = %d: %d wrong\n", N, wrong);
    cudaFree(a);
    cudaFree(b);
    return wrong != 0;
}
