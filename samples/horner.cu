// A polynomial of degree 512 by Horner's rule; type and degree are template parameters.
//
// 1,024 operations on a single loaded number, 128 FLOP/B: compute-bound on every GPU. The chain
// of dependent steps is long, so only many threads at once keep the units busy.
#include <cmath>
#include <cstdio>
#include <cstdlib>

template <typename T, int DEGREE>
__global__ void horner(const T *x, T *y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        T v = x[i];
        T r = T(1);
#pragma unroll
        for (int d = 0; d < DEGREE; ++d)
            r = r * v + T(0.5);
        y[i] = r;
    }
}

template __global__ void horner<float, 512>(const float *, float *, int);

int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 1 << 20;
    float *x, *y;
    cudaMallocManaged(&x, N * sizeof(float));
    cudaMallocManaged(&y, N * sizeof(float));
    for (int i = 0; i < N; ++i)
        x[i] = 0.009f * (i % 100);

    horner<float, 512><<<(N + 255) / 256, 256>>>(x, y, N);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int i = 0; i < N; i += 1001) {
        double r = 1.0;
        for (int d = 0; d < 512; ++d)
            r = r * x[i] + 0.5;
        wrong += fabs(y[i] - r) > 1e-4 * fabs(r);
    }
    printf("horner, N = %d: %d wrong\n", N, wrong);
    cudaFree(x);
    cudaFree(y);
    return wrong != 0;
}
