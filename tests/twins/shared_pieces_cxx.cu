template <typename T>
__global__ void shared_pieces(const T *x, T *y)
{
    extern __shared__ __align__(16) unsigned char memory[];
    T *values = reinterpret_cast<T *>(memory);
    int *order = reinterpret_cast<int *>(&values[blockDim.x]);
    volatile T *seen = values;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    values[threadIdx.x] = x[i];
    order[threadIdx.x] = blockDim.x - 1 - threadIdx.x;
    __syncthreads();
    y[i] = seen[order[threadIdx.x]] * T(2);
}

int main()
{
    shared_pieces<float><<<32, 64, 512>>>(nullptr, nullptr);
}
