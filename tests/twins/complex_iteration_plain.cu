// An iteration on complex numbers with operators of the class: plain C
#include <cuda_runtime.h>

__global__ void julia(float *out, int W, int H)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H)
        return;
    float cr = -0.8f, ci = 0.156f;
    float r = x * 0.01f, i = y * 0.01f;
    for (int k = 0; k < 20; k++) {
        float nr = r * r - i * i;
        float ni = i * r + r * i;
        r = nr + cr;
        i = ni + ci;
    }
    out[y * W + x] = r * r + i * i;
}

void run(float *o, int W, int H)
{
    julia<<<dim3((W + 15) / 16, (H + 15) / 16), dim3(16, 16)>>>(o, W, H);
}
