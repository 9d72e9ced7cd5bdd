// Jumps forward: out of loops, to the end of an iteration, past an else, to a common tail.
__device__ int position(const int *keys, int count, int key)
{
    int k;
    for (k = 0; k < count; k++) {
        if (keys[k] == key)
            goto found;
    }
found:
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
            goto done;
        s += x[k];
    }
done:
    y[i] = s;
}

__global__ void triangle(const float *x, float *y, int n, int limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = 0;
    for (int j = 0; j < n; j++)
        for (int k = 0; k <= j; k++) {
            if (k == limit)
                goto done;
            s += x[k] * x[j];
        }
done:
    y[i] = s;
}

__global__ void odd(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < n; k++) {
        if (k % 2 == 0)
            goto next;
        y[i * n + k] = x[k] * x[i];
    next:;
    }
}

__global__ void edges(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = x[i];
    if (i == 0 || i == n - 1)
        goto edge;
    v += x[i - 1] + x[i + 1];
    goto store;
edge:
    v *= 2;
store:
    y[i] = v;
}

__global__ void lookup(const int *keys, const float *x, float *y, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[position(keys, count, i)];
}
