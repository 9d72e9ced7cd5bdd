// The same without a jump; lines as in the twin, since unknowns are named after them.
__device__ int position(const int *keys, int count, int key)
{
    int k;
    for (k = 0; k < count; k++) {
        if (keys[k] == key)
            break;
    }

    return k;
}

__global__ void limited(const float *x, float *y, int n, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0;
    for (int k = 0; k < n; k++) {
        if (k == limit)
            break;
        s += x[k];
    }

    y[i] = s;
}

__device__ float until(const float *x, int n, int limit)
{
    float s = 0;
    for (int j = 0; j < n; j++)
        for (int k = 0; k <= j; k++) {
            if (k == limit)
                return s;
            s += x[k] * x[j];
        }
    return s;
}
__global__ void triangle(const float *x, float *y, int n, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = until(x, n, limit);
}
__global__ void odd(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++) {
        if (k % 2 == 0)
            continue;
        y[i * n + k] = x[k] * x[i];

    }
}

__global__ void edges(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    if (i != 0 && i != n - 1)
        v += x[i - 1] + x[i + 1];
    else
        v *= 2;



    y[i] = v;
}

__global__ void lookup(const int *keys, const float *x, float *y, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[position(keys, count, i)];
}
