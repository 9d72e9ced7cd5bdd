// Sparse matrix times vector, matrix in compressed rows (CSR), one thread for each row.
//
// How long a row is and which elements of x it needs stands in the data. The source alone cannot
// say it: the trip count and the gathered bytes stay named unknowns in the report.
#include <cmath>
#include <cstdio>
#include <cstdlib>

__global__ void spmv_csr(const int *row_start, const int *column, const float *value,
                         const float *x, float *y, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < rows) {
        float acc = 0.0f;
        for (int e = row_start[r]; e < row_start[r + 1]; ++e)
            acc += value[e] * x[column[e]];
        y[r] = acc;
    }
}

int main(int argc, char **argv)
{
    int rows = argc > 1 ? atoi(argv[1]) : 100000;
    int per_row = 32;
    int *row_start, *column;
    float *value, *x, *y;
    cudaMallocManaged(&row_start, (rows + 1) * sizeof(int));
    cudaMallocManaged(&column, rows * per_row * sizeof(int));
    cudaMallocManaged(&value, rows * per_row * sizeof(float));
    cudaMallocManaged(&x, rows * sizeof(float));
    cudaMallocManaged(&y, rows * sizeof(float));
    for (int r = 0; r <= rows; ++r)
        row_start[r] = r * per_row;
    for (int e = 0; e < rows * per_row; ++e) {
        column[e] = (int)((e * 7919LL) % rows);
        value[e] = e % 3;
    }
    for (int r = 0; r < rows; ++r)
        x[r] = r % 10;

    int threads = 128;
    spmv_csr<<<(rows + threads - 1) / threads, threads>>>(row_start, column, value, x, y, rows);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int r = 0; r < rows; r += 99) {
        float expected = 0.0f;
        for (int e = row_start[r]; e < row_start[r + 1]; ++e)
            expected += value[e] * x[column[e]];
        wrong += fabsf(y[r] - expected) > 1e-3f;
    }
    printf("spmv_csr, %d rows: %d wrong\n", rows, wrong);
    cudaFree(row_start);
    cudaFree(column);
    cudaFree(value);
    cudaFree(x);
    cudaFree(y);
    return wrong != 0;
}
