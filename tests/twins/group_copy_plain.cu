__global__ void group_copy(const float *x, float *y)
{
    __shared__ float tile[512];
    for (int k = 0; k < 4; ++k)
        tile[k * 128 + threadIdx.x] = x[blockIdx.x * 512 + k * 128 + threadIdx.x];
    __syncthreads();
    y[blockIdx.x * 128 + threadIdx.x] = tile[threadIdx.x];
}

int main()
{
    group_copy<<<64, 128>>>(nullptr, nullptr);
}
