// Double precision, wanted and by accident, and integers of several widths.
//
// On a consumer GPU double precision runs at 1/64 of the single-precision rate. One literal
// without its f is enough to get there.
#include <cstddef>

// y = a x + y in double precision.
__global__ void daxpy(int n, double a, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

// 0.5 is a double, so the float is widened, multiplied in double precision and narrowed again.
__global__ void accidental_double(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 0.5 * x[i];
}

// Floats in memory, squares and sums in double precision.
__global__ void mean_square(const float *x, double *result, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        double sum = 0.0;
        for (int j = 0; j < columns; ++j) {
            double v = (double)x[row * columns + j];
            sum += v * v;
        }
        result[row] = sum / columns;
    }
}

// Indices in size_t and long long, for arrays of more than 2^31 elements.
__global__ void scale_long(const float *in, float *out, float factor, long long n)
{
    size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
        out[i] = factor * in[i];
}

// Integers only: a linear congruential generator, eight steps for each element.
__global__ void lcg_steps(const unsigned int *seed, unsigned int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned int state = seed[i];
        for (int k = 0; k < 8; ++k)
            state = state * 1664525u + 1013904223u;
        out[i] = state;
    }
}

void run_precision(const double *dx, double *dy, const float *x, float *y, const unsigned int *seed,
                   unsigned int *out, int n, int rows, int columns, long long many)
{
    int threads = 256;
    int blocks = (n + threads - 1) / threads;
    daxpy<<<blocks, threads>>>(n, 3.0, dx, dy);
    accidental_double<<<blocks, threads>>>(x, y, n);
    mean_square<<<(rows + threads - 1) / threads, threads>>>(x, dy, rows, columns);
    scale_long<<<1024, threads>>>(x, y, 2.0f, many);
    lcg_steps<<<blocks, threads>>>(seed, out, n);
}
