// Range-based for over a table: C++
#include <cuda_runtime.h>

namespace filter {
constexpr int radius = 2;
using weight = float;
}  // namespace filter
using namespace filter;

__global__ void smooth(const float *x, float *y, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        const weight taps[2 * radius + 1] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
        float sum = 0.0f;
        int k = 0;
        for (const auto &tap : taps) {
            sum += tap * x[i + k];
            ++k;
        }
        for (int offset : {1, 3})
            sum -= x[i + offset];
        y[i] = sum;
    }
}

void run(float *x, float *y, int N)
{
    smooth<<<(N + 255) / 256, 256>>>(x, y, N);
}
