__global__ void shared_pieces(const float *x, float *y)
{
    __shared__ float values[64];
    __shared__ int order[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[threadIdx.x] = x[i];
    order[threadIdx.x] = 63 - threadIdx.x;
    __syncthreads();
    y[i] = values[order[threadIdx.x]] * 2.0f;
}

int main()
{
    shared_pieces<<<32, 64>>>(nullptr, nullptr);
}
