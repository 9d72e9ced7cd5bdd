// Structured bindings of a function's result: plain C
#include <cuda_runtime.h>

__global__ void rotate(const float2 *p, float2 *q, float by, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float2 v = p[i];
        float r = sqrtf(v.x * v.x + v.y * v.y);
        float a = atan2f(v.y, v.x);
        q[i] = make_float2(r * cosf(a + by), r * sinf(a + by));
    }
}

void run(float2 *p, float2 *q, int N)
{
    rotate<<<(N + 255) / 256, 256>>>(p, q, 0.1f, N);
}
