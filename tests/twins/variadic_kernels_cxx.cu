// Packs of kernels are what launches pass: pointers, values, and arguments written out.
template <typename... P>
__global__ void sum_all(float *out, int n, P... p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (p[i] + ...);
}

template <typename... T>
__global__ void add_to(float *out, int n, const T *__restrict__... more) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) ((out[i] += more[i]), ...);
}

template <typename T, int... At>
__global__ void taps(T *out, const T *in, int n) {
    const int at[] = {At...};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    T sum = 0;
    for (int k = 0; k < sizeof...(At); ++k) sum += in[i + at[k]];
    out[i] = sum;
}

struct Axpy {
    __device__ void operator()(int i, float a, const float *x, float *y) const { y[i] += a * x[i]; }
};

template <typename F, typename... A>
__global__ void apply(int n, F f, A... a) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i, a...);
}

template <typename F, typename... A>
void run(int n, F f, A &&...a) {
    apply<<<(n + 255) / 256, 256>>>(n, f, std::forward<A>(a)...);
}

void launch(float *out, const float *a, const float *b, const double *c, double *d, int n) {
    sum_all<<<(n + 255) / 256, 256>>>(out, n, a, b, out);
    add_to<<<(n + 255) / 256, 256>>>(out, n, a, c);
    taps<double, 0, 1, 5><<<(n + 255) / 256, 256>>>(d, c, n);
    run(n, Axpy{}, 2.0f, a, out);
}
