// Template arguments that only a function knows: its constants, its aliases, sizes of types.
template <typename T, int N> struct alignas(sizeof(T) * N) Vec
{
    T v[N];
    __device__ T sum() const
    {
        T s = 0;
        for (int i = 0; i < N; ++i)
            s += v[i];
        return s;
    }
};

template <int N, typename T> __device__ T dot(const T *a, const T *b)
{
    T s = 0;
    for (int i = 0; i < N; ++i)
        s += a[i] * b[i];
    return s;
}

template <typename T> __global__ void scale(const T *x, T *y, int n)
{
    constexpr int V = 16 / sizeof(T);
    using Pack = Vec<T, V>;
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * V;
    if (i >= n)
        return;
    Pack p = *reinterpret_cast<const Pack *>(x + i);
    for (int j = 0; j < V; ++j)
        p.v[j] = p.v[j] * T(2);
    *reinterpret_cast<Pack *>(y + i) = p;
}

__global__ void sums(const float *x, float *y)
{
    using real = float;
    constexpr int V = sizeof(float4) / sizeof(real);
    const auto *p = reinterpret_cast<const Vec<real, V> *>(x);
    y[threadIdx.x] = p[threadIdx.x].sum();
}

__global__ void dots(const double *x, double *y)
{
    const int V = 2, U = V * 2;
    y[threadIdx.x] = dot<U>(x + threadIdx.x, y);
    {
        constexpr int V = 8;
        y[threadIdx.x] = dot<(V > 4 ? V : 1)>(x, x + V);
    }
}

void go(float *a, double *b, int n)
{
    scale<<<(n / 4 + 255) / 256, 256>>>(a, a + n, n);
    sums<<<1, 128>>>(a, a + n);
    dots<<<1, 128>>>(b, b + n);
}
