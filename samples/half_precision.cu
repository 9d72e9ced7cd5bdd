// Half precision: one number at a time, two at a time, and with single-precision sums.
//
// Halves are half as many bytes. The arithmetic gains only through __half2, where one instruction
// works on two numbers, and a sum of many halves is better kept in a float.
#include <cuda_fp16.h>

// y = a x + y on single halves.
__global__ void axpy_half(const __half *x, __half *y, __half a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = __hfma(a, x[i], y[i]);
}

// The same on pairs.
__global__ void axpy_half2(const __half2 *x, __half2 *y, __half2 a, int n2)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n2)
        y[i] = __hfma2(a, x[i], y[i]);
}

// Scale and shift with the operators that the type brings along.
__global__ void affine_half(const half *x, half *y, half scale, half shift, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = x[i] * scale + shift;
}

// Matrix of halves times vector of halves, summed in single precision.
__global__ void gemv_half(const __half *A, const __half *x, float *y, int M, int N)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M)
        return;
    float acc = 0.0f;
    for (int j = 0; j < N; ++j)
        acc += __half2float(A[row * N + j]) * __half2float(x[j]);
    y[row] = acc;
}

// Floats to halves: a conversion is no operation.
__global__ void to_half(const float *in, __half *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = __float2half(in[i]);
}

void run_half_precision(const __half *x, __half *y, const __half2 *x2, __half2 *y2,
                        const float *in, float *out, int n, int M, int N)
{
    dim3 block(256);
    dim3 grid((n + block.x - 1) / block.x);
    axpy_half<<<grid, block>>>(x, y, __float2half(2.0f), n);
    int n2 = n / 2;
    axpy_half2<<<(n2 + 255) / 256, 256>>>(x2, y2, __float2half2_rn(2.0f), n2);
    affine_half<<<grid, block>>>(x, y, __float2half(0.5f), __float2half(1.0f), n);
    gemv_half<<<(M + 127) / 128, 128>>>(x, y, out, M, N);
    to_half<<<grid, block>>>(in, y, n);
}
