// Kernels with type and value parameters, instantiated in every usual way.
//
// A template has no cost of its own: only its instances have, and two instances may differ in the
// size of an element, in the precision of the arithmetic or in a trip count.

// a x + b y for any arithmetic type; instantiated explicitly below.
template <typename T>
__global__ void axpby(const T *x, T *y, T a, T b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + b * y[i];
}

template __global__ void axpby<float>(const float *, float *, float, float, int);
template __global__ void axpby<double>(const double *, double *, double, double, int);

// Mean of WINDOW elements that follow each other; the launch says how many.
template <int WINDOW>
__global__ void moving_average(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + WINDOW <= n) {
        float sum = 0.0f;
#pragma unroll
        for (int k = 0; k < WINDOW; ++k)
            sum += in[i + k];
        out[i] = sum / WINDOW;
    }
}

template <typename T>
__device__ __forceinline__ T square(T x)
{
    return x * x;
}

// The type is deduced at the launch, and again at the call of square.
template <typename T>
__global__ void squares(const T *x, T *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = square(x[i]);
}

// A block's sum with the block size as a template parameter.
template <typename T, int BLOCK_SIZE>
__global__ void block_sums(const T *x, T *sums, int n)
{
    __shared__ T shared[BLOCK_SIZE];
    const int t = threadIdx.x;
    const int i = blockIdx.x * BLOCK_SIZE + t;
    shared[t] = i < n ? x[i] : T(0);
    __syncthreads();
    for (int half = BLOCK_SIZE / 2; half > 0; half /= 2) {
        if (t < half)
            shared[t] += shared[t + half];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = shared[0];
}

// Each thread takes ITEMS elements, a block's width apart.
template <typename T, int ITEMS = 4>
__global__ void __launch_bounds__(128) scale_items(T *data, T factor, int n)
{
    int base = blockIdx.x * blockDim.x * ITEMS + threadIdx.x;
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) {
        int i = base + k * blockDim.x;
        if (i < n)
            data[i] = data[i] * factor;
    }
}

void run_templates(float *x, float *y, double *dx, double *dy, int n)
{
    const int threads = 256;
    const int blocks = (n + threads - 1) / threads;
    axpby<float><<<blocks, threads>>>(x, y, 2.0f, 0.5f, n);
    axpby<double><<<blocks, threads>>>(dx, dy, 2.0, 0.5, n);
    moving_average<8><<<blocks, threads>>>(x, y, n);
    squares<<<blocks, threads>>>(x, y, n);
    block_sums<float, 128><<<(n + 127) / 128, 128>>>(x, y, n);
    scale_items<float><<<(n + 511) / 512, 128>>>(x, 3.0f, n);
}
