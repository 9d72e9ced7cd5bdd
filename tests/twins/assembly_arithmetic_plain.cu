__global__ void assembly_arithmetic(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = exp2f(fmaf(x[i], 2.0f, 1.0f));
}
