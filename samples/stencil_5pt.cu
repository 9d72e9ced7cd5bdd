// Average of a point and its four neighbours on an H x W grid; the border is left alone.
//
// Each element is read by five threads, so five loads are requested where one would do. Whether
// the caches catch the other four decides between 5/24 and 5/8 FLOP/B.
#include <cmath>
#include <cstdio>
#include <cstdlib>

__global__ void stencil_5pt(const float *in, float *out, int H, int W)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < W - 1 && y > 0 && y < H - 1)
        out[y * W + x] = 0.2f * (in[y * W + x] + in[y * W + x - 1] + in[y * W + x + 1]
                                 + in[(y - 1) * W + x] + in[(y + 1) * W + x]);
}

int main(int argc, char **argv)
{
    int H = argc > 1 ? atoi(argv[1]) : 1000;
    int W = argc > 2 ? atoi(argv[2]) : 1500;
    float *in, *out;
    cudaMallocManaged(&in, H * W * sizeof(float));
    cudaMallocManaged(&out, H * W * sizeof(float));
    for (int i = 0; i < H * W; ++i)
        in[i] = i % 17;

    dim3 block(32, 8);
    dim3 grid((W + block.x - 1) / block.x, (H + block.y - 1) / block.y);
    stencil_5pt<<<grid, block>>>(in, out, H, W);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int y = 1; y < H - 1; ++y)
        for (int x = 1; x < W - 1; ++x) {
            const float *p = in + y * W + x;
            wrong += fabsf(out[y * W + x] - (p[0] + p[-1] + p[1] + p[-W] + p[W]) / 5.0f) > 1e-4f;
        }
    printf("stencil_5pt, %d x %d: %d wrong\n", H, W, wrong);
    cudaFree(in);
    cudaFree(out);
    return wrong != 0;
}
