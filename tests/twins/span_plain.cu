// A view with a const and a plain index, passed to a kernel by value: plain C
#include <cuda_runtime.h>

struct Input {
    const float *data;
    int size;
};
struct Output {
    float *data;
    int size;
};

__global__ void difference(Input x, Output y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 >= 0 && i + 1 < x.size)
        y.data[i] = x.data[i + 1] - x.data[i];
}


