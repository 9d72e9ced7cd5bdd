__global__ void hinted_access(const float4 *x, float4 *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float4 v = x[i];
        float4 w = x[i];
        v.x += w.w;
        y[i] = v;
    }
}
