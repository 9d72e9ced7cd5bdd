// A 3 by 3 matrix of a class template: C++
#include <cuda_runtime.h>

template <typename T, int R, int C = R> struct Mat {
    T m[R][C];
    __device__ T *operator[](int r) { return m[r]; }
};
template <typename T, int R, int C>
__device__ void apply(Mat<T, R, C> &a, const T (&x)[C], T (&y)[R])
{
    for (int r = 0; r < R; r++) {
        y[r] = 0;
        for (int c = 0; c < C; c++)
            y[r] += a[r][c] * x[c];
    }
}

__global__ void transform(const float *in, float *out, float angle, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        Mat<float, 3> a;
        a[0][0] = cosf(angle);
        a[1][1] = sinf(angle);
        float x[3], y[3];
        for (int k = 0; k < 3; k++)
            x[k] = in[3 * i + k];
        apply(a, x, y);
        for (int k = 0; k < 3; k++)
            out[3 * i + k] = y[k];
    }
}

void run(float *x, float *y, int N)
{
    transform<<<(N + 127) / 128, 128>>>(x, y, 0.5f, N);
}
