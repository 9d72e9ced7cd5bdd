// An iteration on complex numbers with operators of the class: C++
#include <cuda_runtime.h>

class complexf {
    float r, i;
public:
    __device__ complexf(float a, float b) : r(a), i(b) {}
    __device__ float magnitude2(void) { return r * r + i * i; }
    __device__ complexf operator*(const complexf &a)
    {
        return complexf(r * a.r - i * a.i, i * a.r + r * a.i);
    }
    __device__ complexf operator+(const complexf &a) { return complexf(r + a.r, i + a.i); }
};

__global__ void julia(float *out, int W, int H)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H)
        return;
    complexf c(-0.8f, 0.156f);
    complexf a(x * 0.01f, y * 0.01f);
    for (int k = 0; k < 20; k++)
        a = a * a + c;
    out[y * W + x] = a.magnitude2();
}

void run(float *o, int W, int H)
{
    julia<<<dim3((W + 15) / 16, (H + 15) / 16), dim3(16, 16)>>>(o, W, H);
}
