// Loops that let a grid of any size work on data of any size.
//
// In total each element is visited once, whatever the launch. How much a single thread does
// depends on its index and on the number of threads.
#define THREADS 256

// The usual grid-stride loop.
__global__ void scale_grid_stride(const float *x, float *y, float a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = a * x[i];
}

// The same as a while loop, with the stride in a variable.
__global__ void add_grid_stride(const float *a, const float *b, float *c, int n)
{
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    const int stride = blockDim.x * gridDim.x;
    while (tid < n) {
        c[tid] = a[tid] + b[tid];
        tid += stride;
    }
}

// Grid-stride in two dimensions.
__global__ void fma_grid_stride_2d(const float *a, const float *b, float *c, int H, int W)
{
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < H; y += blockDim.y * gridDim.y)
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < W; x += blockDim.x * gridDim.x)
            c[y * W + x] = fmaf(a[y * W + x], b[y * W + x], c[y * W + x]);
}

// A block for each row; its threads stride along the columns.
__global__ void scale_rows(const float *in, const float *factor, float *out, int columns)
{
    int row = blockIdx.x;
    for (int j = threadIdx.x; j < columns; j += blockDim.x)
        out[row * columns + j] = factor[row] * in[row * columns + j];
}

// A fixed number of consecutive elements for each thread, with a guard inside the loop.
__global__ void chunk_per_thread(const float *in, float *out, int n, int chunk)
{
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
    for (int k = 0; k < chunk; ++k) {
        int i = first + k;
        if (i < n)
            out[i] = in[i] * in[i];
    }
}

void run_grid_stride(const float *a, const float *b, float *c, int n, int H, int W)
{
    int device = 0, processors = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    scale_grid_stride<<<32 * processors, THREADS>>>(a, c, 2.0f, n);
    add_grid_stride<<<128, THREADS>>>(a, b, c, n);
    dim3 grid(8, 8), block(16, 16);
    fma_grid_stride_2d<<<grid, block>>>(a, b, c, H, W);
    scale_rows<<<H, THREADS>>>(a, b, c, W);
    int chunk = 8;
    int threads = (n + chunk - 1) / chunk;
    chunk_per_thread<<<(threads + THREADS - 1) / THREADS, THREADS>>>(a, c, n, chunk);
}
