__global__ void grid_group(float *x, float a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] *= a;
    __syncthreads();
}

int main()
{
    grid_group<<<64, 256>>>(nullptr, 2.0f, 1 << 20);
}
