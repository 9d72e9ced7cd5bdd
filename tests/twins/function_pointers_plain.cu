__device__ float square(float a) { return a * a; }
__device__ float next(float a) { return a + 1.0f; }

__constant__ long long table[2];
__device__ long long chosen;

__global__ void aliases(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = square(x[i]) + x[i] * 2.0f + next(x[i]);
}

__global__ void handed_on(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = square(square(x[i]));
}

__global__ void by_table(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    long long first = table[0];
    v = square(v);
    long long second = table[1];
    v = next(v);
    x[i] = v;
}

__global__ void by_variable(float *x, int n) {
    long long f = chosen;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = next(x[i]);
}

void launch(float *x, int n) {
    aliases<<<(n + 255) / 256, 256>>>(x, n);
    handed_on<<<(n + 255) / 256, 256>>>(x, n);
    by_table<<<(n + 255) / 256, 256>>>(x, n);
    by_variable<<<(n + 255) / 256, 256>>>(x, n);
}
