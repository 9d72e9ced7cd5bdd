// Layers of neural networks other than the matrix products.
//
// Norms, activations, position codes, an optimiser step: a handful of operations for each element
// and a lot of data. This is why frameworks fuse them.
#include <cstdint>

// Batch normalisation at inference, NCHW, one thread for each element.
__global__ void batch_norm(const float *x, const float *mean, const float *variance,
                           const float *gamma, const float *beta, float *y, int N, int C, int HW)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N * C * HW)
        return;
    int c = (i / HW) % C;
    float inv = rsqrtf(variance[c] + 1e-5f);
    y[i] = (x[i] - mean[c]) * inv * gamma[c] + beta[c];
}

// Root-mean-square norm, one block of any power of two for a row.
__global__ void rms_norm(const float *x, const float *weight, float *y, int columns)
{
    extern __shared__ float squares[];
    const float *row = x + blockIdx.x * columns;
    float *out = y + blockIdx.x * columns;
    float sum = 0.0f;
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        sum += row[j] * row[j];
    squares[threadIdx.x] = sum;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s)
            squares[threadIdx.x] += squares[threadIdx.x + s];
        __syncthreads();
    }
    float scale = rsqrtf(squares[0] / columns + 1e-6f);
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        out[j] = row[j] * scale * weight[j];
}

// Layer norm the simple way: one thread walks along its row three times.
__global__ void layer_norm_rows(const float *x, const float *gamma, const float *beta, float *y,
                                int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    x += row * columns;
    y += row * columns;
    float mean = 0.0f;
    for (int j = 0; j < columns; ++j)
        mean += x[j];
    mean /= columns;
    float variance = 0.0f;
    for (int j = 0; j < columns; ++j) {
        float d = x[j] - mean;
        variance += d * d;
    }
    variance /= columns;
    float inv = rsqrtf(variance + 1e-5f);
    for (int j = 0; j < columns; ++j)
        y[j] = (x[j] - mean) * inv * gamma[j] + beta[j];
}

// Rotary position code: each pair of elements is turned by an angle that grows with the position.
__global__ void rope(float *x, float base, int positions, int D)
{
    int d = blockIdx.x * blockDim.x + threadIdx.x;
    int position = blockIdx.y;
    if (d >= D / 2 || position >= positions)
        return;
    float angle = position * powf(base, -2.0f * d / D);
    float c = cosf(angle), s = sinf(angle);
    float *pair = x + position * D + 2 * d;
    float a = pair[0];
    float b = pair[1];
    pair[0] = a * c - b * s;
    pair[1] = a * s + b * c;
}

// Eight-bit weights back to floats, with one scale for each row.
__global__ void dequantize(const int8_t *q, const float *scale, float *out, int rows, int columns)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < rows && j < columns)
        out[i * columns + j] = static_cast<float>(q[i * columns + j]) * scale[i];
}

__device__ __forceinline__ float silu(float v) { return v / (1.0f + expf(-v)); }

// SiLU of one half, times the other half.
__global__ void silu_gate(const float *__restrict__ gate, const float *__restrict__ up,
                          float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = silu(gate[i]) * up[i];
}

// One step of Adam. c1 and c2 are the bias corrections of this step.
__global__ void adam_step(float *w, const float *g, float *m, float *v, float lr, float b1,
                          float b2, float eps, float c1, float c2, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float grad = g[i];
    float mi = b1 * m[i] + (1.0f - b1) * grad;
    float vi = b2 * v[i] + (1.0f - b2) * grad * grad;
    m[i] = mi;
    v[i] = vi;
    w[i] -= lr * (mi / c1) / (sqrtf(vi / c2) + eps);
}

// Softmax over a short row held in a local array; CLASSES is a constant.
#define CLASSES 10
__global__ void softmax_small(const float *logits, float *out, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float e[CLASSES];
        float sum = 0.0f;
        for (int c = 0; c < CLASSES; ++c) {
            e[c] = __expf(logits[row * CLASSES + c]);
            sum += e[c];
        }
        for (int c = 0; c < CLASSES; ++c)
            out[row * CLASSES + c] = e[c] / sum;
    }
}

void run_neural(float *x, float *y, float *a, float *b, float *c, float *d, const int8_t *q, int n,
                int N, int C, int HW, int rows, int columns)
{
    int threads = 256;
    batch_norm<<<(N * C * HW + threads - 1) / threads, threads>>>(x, a, b, c, d, y, N, C, HW);
    rms_norm<<<rows, threads, threads * sizeof(float)>>>(x, a, y, columns);
    layer_norm_rows<<<(rows + 127) / 128, 128>>>(x, a, b, y, rows, columns);
    dim3 rope_grid((columns / 2 + 63) / 64, rows);
    rope<<<rope_grid, 64>>>(x, 10000.0f, rows, columns);
    dim3 block(32, 8);
    dim3 grid((columns + 31) / 32, (rows + 7) / 8);
    dequantize<<<grid, block>>>(q, a, y, rows, columns);
    silu_gate<<<(n + threads - 1) / threads, threads>>>(x, a, y, n);
    adam_step<<<(n + threads - 1) / threads, threads>>>(x, a, b, c, 1e-3f, 0.9f, 0.999f, 1e-8f,
                                                        0.1f, 0.001f, n);
    softmax_small<<<(rows + threads - 1) / threads, threads>>>(x, y, rows);
}
