// Structured bindings of a function's result: C++
#include <cuda_runtime.h>

struct Polar {
    float radius, angle;
};
__device__ Polar polar(float x, float y) { return {sqrtf(x * x + y * y), atan2f(y, x)}; }

__global__ void rotate(const float2 *p, float2 *q, float by, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        auto [x, y] = p[i];
        const auto [r, a] = polar(x, y);
        q[i] = {r * cosf(a + by), r * sinf(a + by)};
    }
}

void run(float2 *p, float2 *q, int N)
{
    rotate<<<(N + 255) / 256, 256>>>(p, q, 0.1f, N);
}
