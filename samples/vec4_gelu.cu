// GELU activation (the tanh form) on four elements a thread, through float4.
//
// One 16-byte load and one 16-byte store serve four evaluations. Eight operations and a tanh for
// each element: at 1 FLOP/B it is the tanh that may cost more than the counted arithmetic.
#include <cmath>
#include <cstdio>
#include <cstdlib>

__device__ __forceinline__ float gelu(float x)
{
    return 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}

__global__ void vec4_gelu(const float4 *x, float4 *y, int n4)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n4) {
        float4 v = x[i];
        v.x = gelu(v.x);
        v.y = gelu(v.y);
        v.z = gelu(v.z);
        v.w = gelu(v.w);
        y[i] = v;
    }
}

int main(int argc, char **argv)
{
    int n4 = argc > 1 ? atoi(argv[1]) : 1 << 18;
    float4 *x, *y;
    cudaMallocManaged(&x, n4 * sizeof(float4));
    cudaMallocManaged(&y, n4 * sizeof(float4));
    for (int i = 0; i < n4; ++i)
        x[i] = make_float4(0.01f * (i % 100), -1.0f, 0.5f, 2.0f);

    dim3 block(256);
    dim3 grid((n4 + block.x - 1) / block.x);
    vec4_gelu<<<grid, block>>>(x, y, n4);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int i = 0; i < n4; i += 31) {
        double v = x[i].x;
        double expected = 0.5 * v * (1.0 + tanh(0.7978845608 * (v + 0.044715 * v * v * v)));
        wrong += fabs(y[i].x - expected) > 1e-5;
    }
    printf("vec4_gelu, %d vectors: %d wrong\n", n4, wrong);
    cudaFree(x);
    cudaFree(y);
    return wrong != 0;
}
