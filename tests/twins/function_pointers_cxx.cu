// Pointers to functions whose one target is known: aliases, tables, variables of the file.
typedef float (*Unary)(float);
using Binary = float (*)(float, float);
template <typename T> using Map = T (*)(T);

__device__ float square(float a) { return a * a; }
__device__ float next(float a) { return a + 1.0f; }
__device__ float product(float a, float b) { return a * b; }

__constant__ Unary table[] = {square, next};
__device__ Unary chosen = next;

__device__ float twice(Unary f, float a) { return f(f(a)); }

__global__ void aliases(float *x, int n) {
    Unary f = square;
    Binary g = &product;
    Map<float> h = next;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = f(x[i]) + (*g)(x[i], 2.0f) + h(x[i]);
}

__global__ void handed_on(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = twice(square, x[i]);
}

__global__ void by_table(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    for (int k = 0; k < 2; ++k) v = table[k](v);
    x[i] = v;
}

__global__ void by_variable(float *x, int n) {
    Unary f = chosen;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = f(x[i]);
}

void launch(float *x, int n) {
    aliases<<<(n + 255) / 256, 256>>>(x, n);
    handed_on<<<(n + 255) / 256, 256>>>(x, n);
    by_table<<<(n + 255) / 256, 256>>>(x, n);
    by_variable<<<(n + 255) / 256, 256>>>(x, n);
}
