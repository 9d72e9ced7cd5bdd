// Where the elements lie: layouts, flat indices, blocks of two and three dimensions, gathers.
//
// Nearly no arithmetic. What differs is which elements a kernel touches, and in which order.
#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))
#define INDEX3(x, y, z, nx, ny) (((z) * (ny) + (y)) * (nx) + (x))

// Moves a tensor from NCHW to NHWC, one thread for each element of the flat input.
__global__ void nchw_to_nhwc(const float *in, float *out, int N, int C, int H, int W)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * C * H * W)
        return;
    int w = i % W;
    int h = i / W % H;
    int c = i / (W * H) % C;
    int n = i / (W * H * C);
    out[((n * H + h) * W + w) * C + c] = in[i];
}

// Unrolls all K x K windows of an image with C channels into the columns of a matrix.
__global__ void im2col(const float *image, float *columns, int C, int H, int W, int K)
{
    int out_h = H - K + 1, out_w = W - K + 1;
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < C * K * K * out_h * out_w) {
        int x = index % out_w;
        int y = (index / out_w) % out_h;
        int kx = (index / (out_w * out_h)) % K;
        int ky = (index / (out_w * out_h * K)) % K;
        int c = index / (out_w * out_h * K * K);
        columns[index] = image[(c * H + y + ky) * W + x + kx];
    }
}

// Scales a volume, with blocks of three dimensions.
__global__ void scale_volume(float *volume, float factor, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < nx && y < ny && z < nz)
        volume[INDEX3(x, y, z, nx, ny)] *= factor;
}

// Averages the planes z and z + 1 of a volume; the y of the grid runs over the planes.
__global__ void average_planes(const float *in, float *out, int pixels, int planes)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    int z = blockIdx.y;
    if (p < pixels)
        out[z * pixels + p] = 0.5f * (in[z * pixels + p] + in[(z + 1) * pixels + p]);
}

// Average pooling over k x k windows that do not overlap.
__global__ void average_pool(const float *in, float *out, int H, int W, int k)
{
    int ox = blockIdx.x * blockDim.x + threadIdx.x;
    int oy = blockIdx.y * blockDim.y + threadIdx.y;
    int out_w = W / k, out_h = H / k;
    if (ox < out_w && oy < out_h) {
        float sum = 0.0f;
        for (int dy = 0; dy < k; ++dy)
            for (int dx = 0; dx < k; ++dx)
                sum += in[(oy * k + dy) * W + ox * k + dx];
        out[oy * out_w + ox] = sum / (k * k);
    }
}

// Doubles an H x W image in both directions by repeating pixels.
__global__ void upsample_nearest(const float *in, float *out, int H, int W)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= 2 * W || y >= 2 * H)
        return;
    out[y * (2 * W) + x] = in[(y / 2) * W + x / 2];
}

// Back to front.
__global__ void reverse(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[n - 1 - i] = in[i];
}

// Pairs (re, im, re, im, ...) into two arrays: stride 2 in the input.
__global__ void deinterleave(const float *pairs, float *re, float *im, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        re[i] = pairs[2 * i];
        im[i] = pairs[2 * i + 1];
    }
}

// Looks up the embedding of each token: which rows of the table are read is data.
__global__ void gather_rows(const int *token, const float *table, float *out, int D)
{
    int d = blockIdx.x * blockDim.x + threadIdx.x;
    int t = blockIdx.y;
    if (d < D)
        out[t * D + d] = table[token[t] * D + d];
}

void run_indexing(float *in, float *out, float *re, const int *token, int N, int C, int H, int W,
                  int K, int tokens, int D)
{
    const int threads = 256;
    nchw_to_nhwc<<<CEIL_DIV(N * C * H * W, threads), threads>>>(in, out, N, C, H, W);
    int total = C * K * K * (H - K + 1) * (W - K + 1);
    im2col<<<CEIL_DIV(total, threads), threads>>>(in, out, C, H, W, K);
    dim3 cube(8, 8, 4);
    dim3 cubes(CEIL_DIV(W, cube.x), CEIL_DIV(H, cube.y), CEIL_DIV(C, cube.z));
    scale_volume<<<cubes, cube>>>(out, 0.5f, W, H, C);
    average_planes<<<dim3(CEIL_DIV(D, threads), C - 1), threads>>>(in, out, D, C);
    dim3 square(16, 16);
    average_pool<<<dim3(CEIL_DIV(W / K, 16), CEIL_DIV(H / K, 16)), square>>>(in, out, H, W, K);
    dim3 grid(CEIL_DIV(2 * W, square.x), CEIL_DIV(2 * H, square.y));
    upsample_nearest<<<grid, square>>>(in, out, H, W);
    reverse<<<CEIL_DIV(D, threads), threads>>>(in, out, D);
    deinterleave<<<CEIL_DIV(D, threads), threads>>>(in, re, out, D);
    gather_rows<<<dim3(CEIL_DIV(D, threads), tokens), threads>>>(token, in, out, D);
}
