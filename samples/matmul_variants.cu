// The matrix product again: tiles with guarded edges, register blocking, double precision.
//
// The arithmetic is always 2 N^3. What changes is how often an element is fetched, from where.
#define TILE 16
#define PER_THREAD 4

// Tiles in shared memory for any sizes: what lies outside is filled with zeros.
__global__ void matmul_guarded(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int t = 0; t < (K + TILE - 1) / TILE; ++t) {
        if (row < M && t * TILE + tx < K)
            As[ty][tx] = A[row * K + t * TILE + tx];
        else
            As[ty][tx] = 0.0f;
        if (t * TILE + ty < K && col < N)
            Bs[ty][tx] = B[(t * TILE + ty) * N + col];
        else
            Bs[ty][tx] = 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k)
            sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (row < M && col < N)
        C[row * N + col] = sum;
}

// Each thread computes a 4 x 4 piece of C in local arrays; N is a multiple of 64.
__global__ void matmul_4x4(const float *__restrict__ A, const float *__restrict__ B,
                           float *__restrict__ C, int N)
{
    int row = (blockIdx.y * blockDim.y + threadIdx.y) * PER_THREAD;
    int col = (blockIdx.x * blockDim.x + threadIdx.x) * PER_THREAD;
    float acc[PER_THREAD][PER_THREAD];
    for (int r = 0; r < PER_THREAD; ++r)
        for (int c = 0; c < PER_THREAD; ++c)
            acc[r][c] = 0.0f;
    for (int k = 0; k < N; ++k) {
        float a[PER_THREAD], b[PER_THREAD];
#pragma unroll
        for (int r = 0; r < PER_THREAD; ++r)
            a[r] = A[(row + r) * N + k];
#pragma unroll
        for (int c = 0; c < PER_THREAD; ++c)
            b[c] = B[k * N + col + c];
#pragma unroll
        for (int r = 0; r < PER_THREAD; ++r)
            for (int c = 0; c < PER_THREAD; ++c)
                acc[r][c] += a[r] * b[c];
    }
    for (int r = 0; r < PER_THREAD; ++r)
        for (int c = 0; c < PER_THREAD; ++c)
            C[(row + r) * N + col + c] = acc[r][c];
}

// Double precision with an explicit fused multiply-add.
__global__ void matmul_double(const double *A, const double *B, double *C, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < N && col < N) {
        double sum = 0.0;
        for (int k = 0; k < N; ++k)
            sum = fma(A[row * N + k], B[k * N + col], sum);
        C[row * N + col] = sum;
    }
}

// Transpose of any rectangle through shared memory, a thread for four elements.
__global__ void transpose_rect(const float *in, float *out, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < height && y + j < width)
            out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

static int div_up(int total, int part) { return (total + part - 1) / part; }

void run_matmul_variants(const float *A, const float *B, float *C, const double *dA,
                         const double *dB, double *dC, int M, int N, int K)
{
    dim3 block(TILE, TILE);
    dim3 grid(div_up(N, TILE), div_up(M, TILE));
    matmul_guarded<<<grid, block>>>(A, B, C, M, N, K);
    matmul_4x4<<<dim3(N / 64, N / 64), block>>>(A, B, C, N);
    dim3 square(div_up(N, TILE), div_up(N, TILE));
    matmul_double<<<square, block>>>(dA, dB, dC, N);
    dim3 turned(div_up(N, 32), div_up(M, 32));
    transpose_rect<<<turned, dim3(32, 8)>>>(A, C, N, M);
}
