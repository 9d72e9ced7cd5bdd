// A view with a const and a plain index, passed to a kernel by value: C++
#include <cuda_runtime.h>

template <typename T> struct Span {
    T *data;
    int size;
    __device__ T &operator[](int i) const { return data[i]; }
    __device__ bool has(int i) const { return i >= 0 && i < size; }
};

__global__ void difference(Span<const float> x, Span<float> y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x.has(i + 1))
        y[i] = x[i + 1] - x[i];
}


