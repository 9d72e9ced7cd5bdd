// Softmax of each row of a matrix, one block of 256 threads for a row.
//
// Three passes: the largest element, the sum of the exponentials, the quotients. Each pass reads
// the row again, so up to four times more bytes are requested than the kernel has to move.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#define BLOCK 256

__global__ void softmax_row(const float *x, float *y, int columns)
{
    __shared__ float buffer[BLOCK];
    int row = blockIdx.x;
    int tid = threadIdx.x;
    float largest = -1e30f;
    for (int j = tid; j < columns; j += BLOCK)
        largest = fmaxf(largest, x[row * columns + j]);
    buffer[tid] = largest;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s >>= 1) {
        if (tid < s)
            buffer[tid] = fmaxf(buffer[tid], buffer[tid + s]);
        __syncthreads();
    }
    largest = buffer[0];
    __syncthreads();
    float sum = 0.0f;
    for (int j = tid; j < columns; j += BLOCK)
        sum += expf(x[row * columns + j] - largest);
    buffer[tid] = sum;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s >>= 1) {
        if (tid < s)
            buffer[tid] += buffer[tid + s];
        __syncthreads();
    }
    sum = buffer[0];
    for (int j = tid; j < columns; j += BLOCK)
        y[row * columns + j] = expf(x[row * columns + j] - largest) / sum;
}

int main(int argc, char **argv)
{
    int rows = argc > 1 ? atoi(argv[1]) : 1024;
    int columns = argc > 2 ? atoi(argv[2]) : 1000;
    float *x, *y;
    cudaMallocManaged(&x, rows * columns * sizeof(float));
    cudaMallocManaged(&y, rows * columns * sizeof(float));
    for (int i = 0; i < rows * columns; ++i)
        x[i] = 0.01f * (i % 321);

    softmax_row<<<rows, BLOCK>>>(x, y, columns);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int row = 0; row < rows; row += 13) {
        double sum = 0.0;
        for (int j = 0; j < columns; ++j)
            sum += exp((double)x[row * columns + j]);
        for (int j = 0; j < columns; j += 7)
            wrong += fabs(y[row * columns + j] - exp((double)x[row * columns + j]) / sum) > 1e-5;
    }
    printf("softmax_row, %d x %d: %d wrong\n", rows, columns, wrong);
    cudaFree(x);
    cudaFree(y);
    return wrong != 0;
}
