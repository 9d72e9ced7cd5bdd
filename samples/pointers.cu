// Pointers that move, and pointers that change their type.
//
// A pointer that steps by a constant is an index in disguise: the addresses follow from the trip
// count as they would from a subscript.

// Sums a row with a pointer that walks along it.
__global__ void walk_row(const float *matrix, float *sums, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        const float *p = matrix + row * columns;
        float sum = 0.0f;
        for (int k = 0; k < columns; ++k)
            sum += *p++;
        sums[row] = sum;
    }
}

// Sums a column; each step moves the pointer down by a row.
__global__ void walk_column(const float *matrix, float *sums, int rows, int columns)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns)
        return;
    const float *p = &matrix[column];
    float sum = 0.0f;
    for (int k = 0; k < rows; ++k) {
        sum += *p;
        p += columns;
    }
    sums[column] = sum;
}

// Runs from a first pointer to a last one.
__global__ void between_pointers(const float *values, float *sums, int n, int length)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const float *end = values + (i + 1) * length;
    float sum = 0.0f;
    for (const float *p = values + i * length; p < end; ++p)
        sum += *p * *p;
    sums[i] = sum;
}

// Product of matrices with a pointer into each factor.
__global__ void matmul_pointers(const float *A, const float *B, float *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && column < N) {
        const float *a = A + row * N;
        const float *b = B + column;
        float sum = 0.0f;
        for (int k = 0; k < N; ++k, ++a, b += N)
            sum += *a * *b;
        C[row * N + column] = sum;
    }
}

// Copies floats four at a time through a pointer cast; n is a multiple of four.
__global__ void copy_vector4(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        const float4 *from = reinterpret_cast<const float4 *>(in);
        float4 *to = reinterpret_cast<float4 *>(out);
        to[i] = from[i];
    }
}

// Moves the pointers to the block's part once, and counts from zero afterwards.
__global__ void add_parts(float *a, const float *b, int part)
{
    a += blockIdx.x * part;
    b += blockIdx.x * part;
    for (int j = threadIdx.x; j < part; j += blockDim.x)
        a[j] += b[j];
}

void run_pointers(float *a, const float *b, float *c, int n, int rows, int columns, int parts)
{
    int threads = 128;
    walk_row<<<(rows + threads - 1) / threads, threads>>>(a, c, rows, columns);
    walk_column<<<(columns + threads - 1) / threads, threads>>>(a, c, rows, columns);
    between_pointers<<<(rows + threads - 1) / threads, threads>>>(a, c, rows, columns);
    dim3 block(16, 16), grid((n + 15) / 16, (n + 15) / 16);
    matmul_pointers<<<grid, block>>>(a, b, c, n);
    copy_vector4<<<(n / 4 + threads - 1) / threads, threads>>>(b, c, n);
    add_parts<<<parts, threads>>>(a, b, columns);
}
