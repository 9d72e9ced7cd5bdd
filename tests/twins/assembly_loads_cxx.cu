__device__ __forceinline__ float4 load(const float *p)
{
    float4 v;
    asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(p));
    return v;
}

__global__ void assembly_loads(const float *x, float *y)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    float4 v = load(x + 4 * i);
    asm volatile("st.global.f32 [%0], %1;" ::"l"(y + i), "f"(v.x + v.y) : "memory");
    asm volatile("bar.sync 0;");
}
