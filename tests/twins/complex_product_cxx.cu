// Complex numbers: C++
#include <cuda_runtime.h>

template <typename T> struct Complex {
    T re, im;
    __device__ Complex(T r = 0, T i = 0) : re(r), im(i) {}
    __device__ Complex conj() const { return Complex(re, -im); }
    __device__ T abs2() const { return re * re + im * im; }
};
template <typename T> __device__ Complex<T> operator*(const Complex<T> &a, const Complex<T> &b)
{
    return Complex<T>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
template <typename T> __device__ Complex<T> operator+(Complex<T> a, Complex<T> b)
{
    return {a.re + b.re, a.im + b.im};
}

__global__ void multiply(const Complex<float> *a, const Complex<float> *b, Complex<float> *c, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        Complex<float> p = a[i] * b[i].conj();
        c[i] = p + Complex<float>(p.abs2());
    }
}

void run(void *a, void *b, void *c, int N)
{
    multiply<<<(N + 255) / 256, 256>>>(a, b, c, N);
}
