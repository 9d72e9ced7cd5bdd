__device__ __forceinline__ float fused(float a, float b, float c)
{
    float d;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c));
    return d;
}

__device__ __forceinline__ float power(float x)
{
    asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
    return x;
}

__global__ void assembly_arithmetic(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = power(fused(x[i], 2.0f, 1.0f));
}
