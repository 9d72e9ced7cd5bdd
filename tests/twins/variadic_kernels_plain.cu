__global__ void sum_all(float *out, int n, const float *a, const float *b, float *c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + (b[i] + c[i]);
}

__global__ void add_to(float *out, int n, const float *__restrict__ a, const double *__restrict__ c) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] += a[i];
        out[i] += c[i];
    }
}

__global__ void taps(double *out, const double *in, int n) {
    const int at[] = {0, 1, 5};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += in[i + at[k]];
    out[i] = sum;
}

__global__ void apply(int n, float a, const float *x, float *y) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        y[i] += a * x[i];
    }
}

void launch(float *out, const float *a, const float *b, const double *c, double *d, int n) {
    sum_all<<<(n + 255) / 256, 256>>>(out, n, a, b, out);
    add_to<<<(n + 255) / 256, 256>>>(out, n, a, c);
    taps<<<(n + 255) / 256, 256>>>(d, c, n);
    apply<<<(n + 255) / 256, 256>>>(n, 2.0f, a, out);
}
