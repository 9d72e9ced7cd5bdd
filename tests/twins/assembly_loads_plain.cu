__global__ void assembly_loads(const float *x, float *y)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    float4 v = ((const float4 *)x)[i];
    y[i] = v.x + v.y;
    __syncthreads();
}
