// Dense linear algebra besides the plain matrix product.
//
// Matrix-vector products have no reuse in the matrix and stay memory-bound; whatever multiplies
// matrix by matrix has. One step of an elimination or of a shortest-path search looks like a
// product and is none: it touches every element once and goes home.
#include <cstddef>

// y = A x, one thread for each row: neighbouring threads read N elements apart.
__global__ void gemv_row(const float *A, const float *x, float *y, int M, int N)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M) {
        float dot = 0.0f;
        for (int j = 0; j < N; ++j)
            dot += A[row * N + j] * x[j];
        y[row] = dot;
    }
}

// y = A^T x, one thread for each column: neighbouring threads read neighbouring elements.
__global__ void gemv_column(const float *A, const float *x, float *y, int M, int N)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= N)
        return;
    float dot = 0.0f;
    for (int i = 0; i < M; ++i)
        dot += A[i * N + col] * x[i];
    y[col] = dot;
}

// C = alpha A B + beta C.
__global__ void gemm(int M, int N, int K, float alpha, const float *A, const float *B, float beta, float *C)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < M && y < N) {
        float tmp = 0.0;
        for (int i = 0; i < K; ++i) {
            tmp += A[x * K + i] * B[i * N + y];
        }
        C[x * N + y] = alpha * tmp + beta * C[x * N + y];
    }
}

// A product for each z of the grid; offsets in size_t, since a batch can pass 2^31 elements.
__global__ void batched_gemm(const float *A, const float *B, float *C, int M, int N, int K)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    size_t batch = blockIdx.z;
    if (row >= M || col >= N)
        return;
    A += batch * M * K;
    B += batch * K * N;
    C += batch * M * N;
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
        acc += A[row * K + k] * B[k * N + col];
    C[row * N + col] = acc;
}

// Rank-one update A += alpha x y^T.
__global__ void rank_one(float *A, const float *x, const float *y, float alpha, int M, int N)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < M && j < N)
        A[i * N + j] += alpha * x[i] * y[j];
}

// The lower triangle of C = A A^T for an N x K matrix A.
__global__ void syrk_lower(const float *A, float *C, int N, int K)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= N || j > i)
        return;
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
        acc += A[i * K + k] * A[j * K + k];
    C[i * N + j] = acc;
}

// Step k of an elimination without pivoting; column k holds the multipliers already.
__global__ void lu_step(float *A, int N, int k)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x + k + 1;
    int i = blockIdx.y * blockDim.y + threadIdx.y + k + 1;
    if (i < N && j < N)
        A[i * N + j] -= A[i * N + k] * A[k * N + j];
}

// Step k of Floyd and Warshall's shortest paths.
__global__ void floyd_warshall_step(float *distance, int N, int k)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < N && j < N) {
        float via = distance[i * N + k] + distance[k * N + j];
        distance[i * N + j] = fminf(distance[i * N + j], via);
    }
}

// Solves L X = B for R right-hand sides, one thread for each of them.
__global__ void forward_substitution(const float *L, const float *B, float *X, int N, int R)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= R)
        return;
    for (int i = 0; i < N; ++i) {
        float s = B[i * R + r];
        for (int j = 0; j < i; ++j)
            s -= L[i * N + j] * X[j * R + r];
        X[i * R + r] = s / L[i * N + i];
    }
}

void run_linear_algebra(float *A, float *B, float *C, int M, int N, int K, int batch, int steps)
{
    int threads = 128;
    gemv_row<<<(M + threads - 1) / threads, threads>>>(A, B, C, M, N);
    gemv_column<<<(N + threads - 1) / threads, threads>>>(A, B, C, M, N);

    dim3 block(16, 16);
    dim3 grid((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
    gemm<<<dim3((M + 15) / 16, (N + 15) / 16), block>>>(M, N, K, 1.0f, A, B, 0.5f, C);
    rank_one<<<grid, block>>>(C, A, B, 2.0f, M, N);
    dim3 grid_batch((N + 15) / 16, (M + 15) / 16, batch);
    batched_gemm<<<grid_batch, block>>>(A, B, C, M, N, K);

    dim3 square((N + block.x - 1) / block.x, (N + block.y - 1) / block.y);
    syrk_lower<<<square, block>>>(A, C, N, K);
    for (int k = 0; k < steps; ++k) {
        dim3 rest((N - k - 1 + 15) / 16, (N - k - 1 + 15) / 16);
        lu_step<<<rest, block>>>(A, N, k);
        floyd_warshall_step<<<square, block>>>(C, N, k);
    }
    forward_substitution<<<(K + threads - 1) / threads, threads>>>(A, B, C, N, K);
}
