// Variants of a kernel by if constexpr: C++
#include <cuda_runtime.h>

enum class Mode { Plain, Scaled };
template <Mode M, bool Relu, typename T> __device__ T finish(T v, T s)
{
    if constexpr (M == Mode::Scaled)
        v = v * s;
    if constexpr (Relu)
        v = v > T(0) ? v : T(0);
    else
        v = tanhf(v);
    return v;
}

__global__ void activate(const float *x, float *y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        y[i] = finish<Mode::Scaled, true>(x[i], 2.0f) + finish<Mode::Plain, false>(x[i], 1.0f);
}

void run(float *x, float *y, int N)
{
    activate<<<(N + 255) / 256, 256>>>(x, y, N);
}
