// Conditions: which threads work, and what the edges of an array cost.
//
// Conditions on indices are exact: they only narrow the set of threads. Conditions on data are
// not, and show up in the report as a probability with the line it comes from.

// Derivative by central differences; both ends are left out by nested guards.
__global__ void central_difference(const float *f, float *derivative, float inv2h, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (i > 0) {
            if (i < n - 1)
                derivative[i] = (f[i + 1] - f[i - 1]) * inv2h;
        }
    }
}

// Second difference with zeros beyond the ends: the edge threads load less.
__global__ void zero_padded(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float left = i > 0 ? in[i - 1] : 0.0f;
    float right = i < n - 1 ? in[i + 1] : 0.0f;
    out[i] = left - 2.0f * in[i] + right;
}

// Average with both neighbours on a ring, where the condition chooses an index.
__global__ void periodic_smooth(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int left = i == 0 ? n - 1 : i - 1;
        int right = i == n - 1 ? 0 : i + 1;
        out[i] = 0.25f * in[left] + 0.5f * in[i] + 0.25f * in[right];
    }
}

// Gauss-Seidel on the red squares of a chess board; half of the threads have nothing to do.
__global__ void red_black(float *u, const float *f, float h2, int H, int W)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= W - 1 || y >= H - 1)
        return;
    if ((x + y) % 2 != 0)
        return;
    u[y * W + x] = 0.25f * (u[y * W + x - 1] + u[y * W + x + 1] + u[(y - 1) * W + x]
                            + u[(y + 1) * W + x] - h2 * f[y * W + x]);
}

// Four kinds of element in turn, each with its own formula.
__global__ void four_formulas(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    switch (i % 4) {
    case 0:
        y[i] = v + 1.0f;
        break;
    case 1:
        y[i] = v * v + 1.0f;
        break;
    case 2:
        y[i] = v * v * v + 1.0f;
        break;
    default:
        y[i] = v;
    }
}

// The operation is an argument, the same for the whole grid.
__global__ void apply_operation(const float *a, const float *b, float *c, int operation, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    switch (operation) {
    case 0:
        c[i] = a[i] + b[i];
        break;
    case 1:
        c[i] = a[i] * b[i];
        break;
    case 2:
        c[i] = a[i] * b[i] + c[i];
        break;
    default:
        c[i] = a[i];
        break;
    }
}

// Half of the block does one thing, half the other, by whole warps.
__global__ void by_half_block(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (threadIdx.x < blockDim.x / 2)
            y[i] = x[i] * x[i];
        else
            y[i] = 0.5f * x[i] * x[i] * x[i];
    }
}

// A leaky rectifier. Whether the multiplication happens depends on the data.
__global__ void leaky_relu(const float *x, float *y, float slope, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i];
        y[i] = v > 0.0f ? v : slope * v;
    }
}

// Soft threshold: shrinks towards zero by t, with two conditions on data.
__global__ void soft_threshold(const float *x, float *y, float t, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    float r = 0.0f;
    if (v > t)
        r = v - t;
    else if (v < -t)
        r = v + t;
    y[i] = r;
}

void run_guards(const float *a, const float *b, float *c, float *u, int n, int H, int W)
{
    const unsigned int THREADS = 256;
    const unsigned int nblocks = (n + THREADS - 1) / THREADS;
    central_difference<<<nblocks, THREADS>>>(a, c, 0.5f, n);
    zero_padded<<<nblocks, THREADS>>>(a, c, n);
    periodic_smooth<<<nblocks, THREADS>>>(a, c, n);
    dim3 block(32, 8);
    dim3 grid((W + block.x - 1) / block.x, (H + block.y - 1) / block.y);
    red_black<<<grid, block>>>(u, a, 0.01f, H, W);
    four_formulas<<<nblocks, THREADS>>>(a, c, n);
    apply_operation<<<nblocks, THREADS>>>(a, b, c, 2, n);
    by_half_block<<<nblocks, THREADS>>>(a, c, n);
    leaky_relu<<<nblocks, THREADS>>>(a, c, 0.01f, n);
    soft_threshold<<<nblocks, THREADS>>>(a, c, 0.1f, n);
}
