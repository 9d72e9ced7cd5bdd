// A functor from the host, as the argument of a kernel template: C++
#include <cuda_runtime.h>

struct Square {
    __device__ float operator()(float v) const { return v * v + 1.0f; }
};
template <typename In, typename Out, typename Op>
__global__ void map(const In *x, Out *y, int N, Op op)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x)
        y[i] = op(x[i]);
}

void run(float *x, float *y, int N)
{
    map<<<64, 256>>>(x, y, N, Square());
}
