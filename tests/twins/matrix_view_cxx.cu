// A matrix class with an index operator: C++
#include <cuda_runtime.h>

template <typename T> class Matrix {
public:
    __host__ __device__ Matrix(T *data, int rows, int cols) : data_(data), rows_(rows), cols_(cols) {}
    __device__ T &operator()(int r, int c) { return data_[r * cols_ + c]; }
    __device__ const T &operator()(int r, int c) const { return data_[r * cols_ + c]; }
    __device__ int cols() const { return cols_; }

private:
    T *data_;
    int rows_, cols_;
};

__global__ void matmul(float *pa, float *pb, float *pc, int N)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    Matrix<float> a(pa, N, N), b(pb, N, N), c{pc, N, N};
    if (row < N && col < c.cols()) {
        float sum = 0.0f;
        for (int k = 0; k < a.cols(); ++k)
            sum += a(row, k) * b(k, col);
        c(row, col) = sum;
    }
}

void run(float *a, float *b, float *c, int N)
{
    matmul<<<dim3((N + 15) / 16, (N + 15) / 16), dim3(16, 16)>>>(a, b, c, N);
}
