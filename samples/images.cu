// Pixels: bytes in, bytes out, and a fractal whose cost nobody knows beforehand.
#define MAX_STEPS 256

// Colour to gray. A pixel is a uchar3, three bytes without padding.
__global__ void rgb_to_gray(const uchar3 *rgb, unsigned char *gray, int W, int H)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < W && y < H) {
        uchar3 p = rgb[y * W + x];
        gray[y * W + x] = (unsigned char)(0.299f * p.x + 0.587f * p.y + 0.114f * p.z);
    }
}

// Photographic negative of bytes, without floating-point work.
__global__ void negative(const unsigned char *in, unsigned char *out, int pixels)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < pixels)
        out[i] = 255 - in[i];
}

// Lays one picture with opacity over another; red, green, blue and alpha in a float4.
__global__ void blend(const float4 *over, float4 *under, int pixels)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels)
        return;
    float4 a = over[i];
    float4 b = under[i];
    float keep = 1.0f - a.w;
    b.x = a.x * a.w + b.x * keep;
    b.y = a.y * a.w + b.y * keep;
    b.z = a.z * a.w + b.z * keep;
    b.w = 1.0f;
    under[i] = b;
}

// Steps until a point escapes: the loop ends when the data say so.
__global__ void mandelbrot(int *steps, float x0, float y0, float pixel, int W, int H)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x;
    int py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= W || py >= H)
        return;
    float cx = x0 + px * pixel;
    float cy = y0 + py * pixel;
    float zx = 0.0f, zy = 0.0f;
    int n = 0;
    while (n < MAX_STEPS && zx * zx + zy * zy < 4.0f) {
        float t = zx * zx - zy * zy + cx;
        zy = 2.0f * zx * zy + cy;
        zx = t;
        ++n;
    }
    steps[py * W + px] = n;
}

void run_images(const uchar3 *rgb, unsigned char *gray, unsigned char *inverse, const float4 *over,
                float4 *under, int *steps, int W, int H)
{
    dim3 block(16, 16);
    dim3 grid((W + block.x - 1) / block.x, (H + block.y - 1) / block.y);
    rgb_to_gray<<<grid, block>>>(rgb, gray, W, H);
    int pixels = W * H;
    negative<<<(pixels + 255) / 256, 256>>>(gray, inverse, pixels);
    blend<<<(pixels + 255) / 256, 256>>>(over, under, pixels);
    mandelbrot<<<grid, block>>>(steps, -2.0f, -1.25f, 2.5f / H, W, H);
}
