// 2 x 2 maximum pooling of an NCHW tensor, one thread for each output element.
//
// The thread takes its flat index apart with / and % to find image, channel, row and column.
// Only comparisons: four loads, a store, not one floating-point operation.
#include <cmath>
#include <cstdio>
#include <cstdlib>

__global__ void flat_pool(const float *in, float *out, int count, int C, int H, int W)
{
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= count)
        return;
    int ow = index % (W / 2);
    int oh = (index / (W / 2)) % (H / 2);
    int c = (index / (W / 2) / (H / 2)) % C;
    int n = index / (W / 2) / (H / 2) / C;
    const float *plane = in + (n * C + c) * H * W;
    float best = plane[(oh * 2) * W + ow * 2];
    best = fmaxf(best, plane[(oh * 2) * W + ow * 2 + 1]);
    best = fmaxf(best, plane[(oh * 2 + 1) * W + ow * 2]);
    best = fmaxf(best, plane[(oh * 2 + 1) * W + ow * 2 + 1]);
    out[index] = best;
}

int main(int argc, char **argv)
{
    int B = argc > 1 ? atoi(argv[1]) : 4;
    int C = 16, H = 64, W = 96;
    int count = B * C * (H / 2) * (W / 2);
    float *in, *out;
    cudaMallocManaged(&in, B * C * H * W * sizeof(float));
    cudaMallocManaged(&out, count * sizeof(float));
    for (int i = 0; i < B * C * H * W; ++i)
        in[i] = (i * 37) % 101;

    int threads = 256;
    flat_pool<<<(count + threads - 1) / threads, threads>>>(in, out, count, C, H, W);
    cudaDeviceSynchronize();

    int wrong = 0, index = 0;
    for (int plane = 0; plane < B * C; ++plane)
        for (int oh = 0; oh < H / 2; ++oh)
            for (int ow = 0; ow < W / 2; ++ow, ++index) {
                const float *p = in + (plane * H + 2 * oh) * W + 2 * ow;
                wrong += out[index] != fmaxf(fmaxf(p[0], p[1]), fmaxf(p[W], p[W + 1]));
            }
    printf("flat_pool, %d outputs: %d wrong\n", count, wrong);
    cudaFree(in);
    cudaFree(out);
    return wrong != 0;
}
