// Convolutions and stencils in one, two and three dimensions.
//
// Each output reads a neighbourhood, and neighbourhoods overlap. The requested bytes grow with the
// size of the neighbourhood; the bytes that have to move hardly do.
#define RADIUS 4
#define BLOCK 256
#define AT(x, y) ((y) * W + (x))

__constant__ float filter[2 * RADIUS + 1];

// Convolution with nine weights from constant memory.
__global__ void conv1d(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < RADIUS || i >= n - RADIUS)
        return;
    float sum = 0.0f;
    for (int k = -RADIUS; k <= RADIUS; ++k)
        sum += filter[k + RADIUS] * in[i + k];
    out[i] = sum;
}

// Convolution with a K x K kernel, without padding.
__global__ void conv2d(const float *in, const float *weights, float *out, int H, int W, int K)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int out_w = W - K + 1;
    int out_h = H - K + 1;
    if (x >= out_w || y >= out_h)
        return;
    float sum = 0.0f;
    for (int i = 0; i < K; i++)
        for (int j = 0; j < K; j++)
            sum += in[(y + i) * W + (x + j)] * weights[i * K + j];
    out[y * out_w + x] = sum;
}

// One explicit step of the heat equation.
__global__ void heat_2d(const float *u, float *u_new, float alpha, int H, int W)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x < W - 1 && y < H - 1) {
        float centre = u[AT(x, y)];
        u_new[AT(x, y)] = centre + alpha * (u[AT(x - 1, y)] + u[AT(x + 1, y)] + u[AT(x, y - 1)]
                                            + u[AT(x, y + 1)] - 4.0f * centre);
    }
}

// One step of the wave equation in one dimension, from two earlier times.
__global__ void wave_1d(const float *before, const float *now, float *next, float c2, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        next[i] = 2.0f * now[i] - before[i] + c2 * (now[i - 1] - 2.0f * now[i] + now[i + 1]);
}

// Mean over the 3 x 3 neighbourhood, over as much of it as lies inside the image.
__global__ void box_blur(const float *in, float *out, int H, int W)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= W || y >= H)
        return;
    float sum = 0.0f;
    int count = 0;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            int nx = x + dx;
            int ny = y + dy;
            if (nx >= 0 && nx < W && ny >= 0 && ny < H) {
                sum += in[ny * W + nx];
                ++count;
            }
        }
    }
    out[y * W + x] = sum / count;
}

// Edge strength by Sobel's two kernels.
__global__ void sobel(const float *in, float *out, int H, int W)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x >= W - 1 || y >= H - 1) return;
    const float *above = &in[(y - 1) * W + x];
    const float *same = &in[y * W + x];
    const float *below = &in[(y + 1) * W + x];
    float tl = above[-1], t = above[0], tr = above[1];
    float l = same[-1], r = same[1];
    float bl = below[-1], b = below[0], br = below[1];
    float gx = (tr + 2.0f * r + br) - (tl + 2.0f * l + bl);
    float gy = (bl + 2.0f * b + br) - (tl + 2.0f * t + tr);
    out[y * W + x] = sqrtf(gx * gx + gy * gy);
}

// Seven points in three dimensions.
__global__ void stencil_7pt(const float *in, float *out, float c0, float c1, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1) {
        int plane = nx * ny;
        int c = z * plane + y * nx + x;
        out[c] = c0 * in[c]
               + c1 * (in[c - 1] + in[c + 1] + in[c - nx] + in[c + nx] + in[c - plane] + in[c + plane]);
    }
}

// The mean of 27 points, as three nested loops from -1 to 1.
__global__ void stencil_27pt(const float *in, float *out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int z = blockIdx.z + 1;
    if (x >= nx - 1 || y >= ny - 1)
        return;
    float sum = 0.0f;
    for (int dz = -1; dz <= 1; dz++)
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++)
                sum += in[((z + dz) * ny + (y + dy)) * nx + (x + dx)];
    out[(z * ny + y) * nx + x] = sum / 27.0f;
}

// Three-point smoothing through shared memory, with one halo element on each side.
__global__ void smooth_shared(const float *in, float *out, int n)
{
    __shared__ float tile[BLOCK + 2];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int t = threadIdx.x + 1;
    if (i < n)
        tile[t] = in[i];
    if (threadIdx.x == 0 && i > 0)
        tile[0] = in[i - 1];
    if (threadIdx.x == BLOCK - 1 && i < n - 1)
        tile[BLOCK + 1] = in[i + 1];
    __syncthreads();
    if (i > 0 && i < n - 1)
        out[i] = 0.25f * tile[t - 1] + 0.5f * tile[t] + 0.25f * tile[t + 1];
}

// Cross-correlation of a signal with a template at every lag.
__global__ void cross_correlate(const float *signal, const float *pattern, float *score, int n, int m)
{
    int lag = blockIdx.x * blockDim.x + threadIdx.x;
    if (lag <= n - m) {
        float acc = 0.0f;
        for (int k = 0; k < m; ++k)
            acc += signal[lag + k] * pattern[k];
        score[lag] = acc;
    }
}

void run_stencils(const float *in, float *out, const float *w, int n, int H, int W, int D, int K)
{
    int blocks = (n + BLOCK - 1) / BLOCK;
    conv1d<<<blocks, BLOCK>>>(in, out, n);
    wave_1d<<<blocks, BLOCK>>>(in, w, out, 0.25f, n);
    smooth_shared<<<blocks, BLOCK>>>(in, out, n);
    cross_correlate<<<(n - K + BLOCK) / BLOCK, BLOCK>>>(in, w, out, n, K);

    dim3 block2d(32, 8);
    dim3 whole((W + block2d.x - 1) / block2d.x, (H + block2d.y - 1) / block2d.y);
    dim3 inner((W - 2 + block2d.x - 1) / block2d.x, (H - 2 + block2d.y - 1) / block2d.y);
    conv2d<<<dim3((W - K + 32) / 32, (H - K + 8) / 8), block2d>>>(in, w, out, H, W, K);
    heat_2d<<<inner, block2d>>>(in, out, 0.1f, H, W);
    box_blur<<<whole, block2d>>>(in, out, H, W);
    sobel<<<whole, block2d>>>(in, out, H, W);

    dim3 block3d(8, 8, 8);
    dim3 grid3d((W + 7) / 8, (H + 7) / 8, (D + 7) / 8);
    stencil_7pt<<<grid3d, block3d>>>(in, out, 0.4f, 0.1f, W, H, D);
    dim3 grid27((W - 2 + 31) / 32, (H - 2 + 7) / 8, D - 2);
    stencil_27pt<<<grid27, block2d>>>(in, out, W, H, D);
}
