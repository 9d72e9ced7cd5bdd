// Scans, sorting steps and histograms: the building blocks where threads exchange data.
//
// What they compute with is integers and comparisons as much as floats, and what limits them is
// barriers, atomics and the number of passes.
#define BLOCK 256
#define BINS 64

// Inclusive scan of each block of 256 elements (Hillis and Steele): every step doubles the reach.
__global__ void block_scan(const float *x, float *y, int n)
{
    __shared__ float data[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    data[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int offset = 1; offset < BLOCK; offset *= 2) {
        float add = 0.0f;
        if (t >= offset)
            add = data[t - offset];
        __syncthreads();
        data[t] += add;
        __syncthreads();
    }
    if (i < n)
        y[i] = data[t];
}

// Adds to each block what all blocks before it sum up to; the first has nothing to add.
__global__ void add_block_offsets(float *y, const float *offsets, int n)
{
    if (blockIdx.x == 0)
        return;
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        y[i] += offsets[blockIdx.x - 1];
}

// One phase of odd-even transposition sort: neighbours that stand the wrong way are swapped.
__global__ void odd_even_phase(float *x, int pairs, int phase)
{
    int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p < pairs) {
        int i = 2 * p + phase;
        float a = x[i];
        float b = x[i + 1];
        if (a > b) {
            x[i] = b;
            x[i + 1] = a;
        }
    }
}

// One step of a bitonic sort, without branches on the values: smaller left, larger right.
__global__ void bitonic_step(float *x, int distance, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t < n / 2) {
        int i = t / distance * (2 * distance) + t % distance;
        float a = x[i];
        float b = x[i + distance];
        x[i] = fminf(a, b);
        x[i + distance] = fmaxf(a, b);
    }
}

// Histogram of bytes, straight into global memory.
__global__ void histogram_global(const unsigned char *values, unsigned int *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[values[i] / 4], 1u);
}

// The same with a private histogram for each block in shared memory.
__global__ void histogram_shared(const unsigned char *values, unsigned int *bins, int n)
{
    __shared__ unsigned int local[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        local[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&local[values[i] / 4], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        atomicAdd(&bins[b], local[b]);
}

// Sums elements into bins by their index, so that the bin is known beforehand.
__global__ void sum_by_residue(const float *x, float *bins, int m, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[i % m], x[i]);
}

// Counts the positive elements: an atomic only where the condition holds.
__global__ void count_positive(const float *x, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        if (x[i] > 0.0f)
            atomicAdd(count, 1);
}

void run_scan_sort(float *x, float *y, unsigned char *bytes, unsigned int *bins, int *count, int n,
                   int m)
{
    int blocks = (n + BLOCK - 1) / BLOCK;
    block_scan<<<blocks, BLOCK>>>(x, y, n);
    add_block_offsets<<<blocks, BLOCK>>>(y, x, n);
    int pairs = n / 2;
    odd_even_phase<<<(pairs + BLOCK - 1) / BLOCK, BLOCK>>>(x, pairs, 0);
    for (int distance = n / 2; distance > 0; distance /= 2)
        bitonic_step<<<(n / 2 + BLOCK - 1) / BLOCK, BLOCK>>>(x, distance, n);
    histogram_global<<<blocks, BLOCK>>>(bytes, bins, n);
    histogram_shared<<<120, BLOCK>>>(bytes, bins, n);
    sum_by_residue<<<blocks, BLOCK>>>(x, y, m, n);
    count_positive<<<blocks, BLOCK>>>(x, count, n);
}
