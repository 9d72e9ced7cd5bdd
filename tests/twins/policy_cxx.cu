// A class that is put together from policies: C++
#include <cuda_runtime.h>

struct Linear {
    static constexpr float slope = 1.0f;
    __device__ static float forward(float v) { return v; }
};
struct Leaky {
    static constexpr float slope = 0.01f;
    __device__ static float forward(float v) { return v > 0.0f ? v : slope * v; }
};
template <typename T, class Activation, int UNROLL = 4> struct Layer {
    using value_type = T;
    const T *weight;
    T bias;
    __device__ Layer(const T *w, T b) : weight(w), bias(b) {}
    __device__ value_type operator()(const T *x, int n) const
    {
        value_type sum = bias;
#pragma unroll UNROLL
        for (int k = 0; k < n; k++)
            sum += weight[k] * x[k];
        return Activation::forward(sum);
    }
};

template <class A> __global__ void dense(const float *w, const float *x, float *y, int K, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        Layer<float, A> layer(w + i * K, 0.5f);
        y[i] = layer(x, K);
    }
}

void run(float *w, float *x, float *y, int K, int N)
{
    dense<Linear><<<(N + 127) / 128, 128>>>(w, x, y, K, N);
}
