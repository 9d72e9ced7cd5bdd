__global__ void hinted_access(const float4 *__restrict__ x, float4 *__restrict__ y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 v = __ldcs(x + i);
        float4 w = __ldg(&x[i]);
        v.x += w.w;
        __stcs(y + i, v);
    }
}
