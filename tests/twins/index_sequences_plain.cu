__global__ void dots(float *out, const float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *x = a + 4 * i;
    const float *y = b + 4 * i;
    if (i < n) out[i] = x[0] * y[0] + (x[1] * y[1] + (x[2] * y[2] + x[3] * y[3]));
}

__global__ void totals(float *out, const float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *x = a + 3 * i;
    if (i < n) out[i] = x[0] + (x[1] + x[2]) + 3;
}

__global__ void maxima(float *out, const float *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *x = a + 3 * i;
    if (i < n) {
        float found = x[0];
        found = fmaxf(found, x[0]);
        found = fmaxf(found, x[1]);
        found = fmaxf(found, x[2]);
        out[i] = found;
    }
}

void launch(float *out, const float *a, const float *b, int n) {
    dots<<<(n + 255) / 256, 256>>>(out, a, b, n);
    totals<<<(n + 255) / 256, 256>>>(out, a, n);
    maxima<<<(n + 255) / 256, 256>>>(out, a, n);
}
