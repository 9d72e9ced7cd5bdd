// Many ways to add up an array, and what each pays in atomics, barriers and shared memory.
//
// All of them have to read the array once and are memory-bound if done well. The differences are
// in what comes on top.
#define BLOCK 256
#define WARP 32

// The simplest: every thread adds its element to the total. The atomics queue up.
__global__ void sum_atomic(const float *x, float *total, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(total, x[i]);
}

// A tree in dynamic shared memory, sized by the launch; one partial sum for each block.
__global__ void sum_dynamic_shared(const float *x, float *partial, int n)
{
    extern __shared__ float buffer[];
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + tid;
    buffer[tid] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s)
            buffer[tid] += buffer[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        partial[blockIdx.x] = buffer[0];
}

// The textbook's first tree: neighbours at distance 1, 2, 4, ..., with divergent warps.
__global__ void sum_interleaved(const float *x, float *partial, int n)
{
    __shared__ float buffer[BLOCK];
    int tid = threadIdx.x;
    int i = blockIdx.x * BLOCK + threadIdx.x;
    buffer[tid] = (i < n) ? x[i] : 0;
    __syncthreads();
    for (int s = 1; s < BLOCK; s *= 2) {
        if (tid % (2 * s) == 0) {
            buffer[tid] += buffer[tid + s];
        }
        __syncthreads();
    }
    if (tid == 0) partial[blockIdx.x] = buffer[0];
}

__device__ __forceinline__ float warp_sum(float v)
{
#pragma unroll
    for (int offset = WARP / 2; offset > 0; offset /= 2)
        v += __shfl_down_sync(0xffffffff, v, offset);
    return v;
}

// Grid-stride loop, then shuffles inside each warp and one atomic a warp.
__global__ void sum_warp_shuffle(const float *__restrict__ x, float *total, int n)
{
    float v = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        v += x[i];
    v = warp_sum(v);
    if (threadIdx.x % WARP == 0)
        atomicAdd(total, v);
}

// Euclidean length of each row: a block for a row, shuffles in two levels.
__global__ void __launch_bounds__(BLOCK) row_norms(const float *x, float *norm, int columns)
{
    __shared__ float partial[BLOCK / WARP];
    const float *row = x + blockIdx.x * columns;
    float v = 0.0f;
    for (int j = threadIdx.x; j < columns; j += BLOCK)
        v += row[j] * row[j];
    v = warp_sum(v);
    int lane = threadIdx.x % WARP;
    int warp = threadIdx.x / WARP;
    if (lane == 0)
        partial[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lane < BLOCK / WARP ? partial[lane] : 0.0f;
        v = warp_sum(v);
        if (lane == 0)
            norm[blockIdx.x] = sqrtf(v);
    }
}

// The largest magnitude of each row, one warp for a row. Comparisons only.
__global__ void row_max(const float *x, float *largest, int rows, int columns)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    int lane = threadIdx.x % WARP;
    if (row >= rows)
        return;
    float best = 0.0f;
    for (int j = lane; j < columns; j += WARP)
        best = fmaxf(best, fabsf(x[row * columns + j]));
    for (int mask = WARP / 2; mask >= 1; mask >>= 1)
        best = fmaxf(best, __shfl_xor_sync(0xffffffffu, best, mask));
    if (lane == 0)
        largest[row] = best;
}

// Dot product in double precision, one partial result for each thread.
__global__ void dot_double(const double *x, const double *y, double *partial, int n)
{
    int stride = gridDim.x * blockDim.x;
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0.0;
    for (int i = thread; i < n; i += stride)
        sum += x[i] * y[i];
    partial[thread] = sum;
}

// Compensated (Kahan) sum of each row: four operations where a plain sum has one.
__global__ void kahan_sum(const float *x, float *sums, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f, lost = 0.0f;
        for (int j = 0; j < columns; j++) {
            float y = x[row * columns + j] - lost;
            float t = sum + y;
            lost = (t - sum) - y;
            sum = t;
        }
        sums[row] = sum;
    }
}

void run_reductions(const float *x, float *y, const double *dx, double *dy, int n, int rows,
                    int columns)
{
    dim3 block(BLOCK);
    dim3 grid((n + BLOCK - 1) / BLOCK);
    sum_atomic<<<grid, block>>>(x, y, n);
    sum_dynamic_shared<<<grid, block, BLOCK * sizeof(float)>>>(x, y, n);
    sum_interleaved<<<grid, block>>>(x, y, n);
    sum_warp_shuffle<<<512, block>>>(x, y, n);
    row_norms<<<rows, BLOCK>>>(x, y, columns);
    row_max<<<(rows * WARP + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, rows, columns);
    dot_double<<<128, 256>>>(dx, dy, dy, n);
    kahan_sum<<<(rows + 127) / 128, 128>>>(x, y, rows, columns);
}
