__global__ void block_load(const float *x, float *y, float a)
{
    float items[4];
    int first = blockIdx.x * 512 + threadIdx.x * 4;
    for (int k = 0; k < 4; ++k)
        items[k] = x[first + k];
    for (int k = 0; k < 4; ++k)
        items[k] = items[k] * a;
    for (int k = 0; k < 4; ++k)
        y[first + k] = items[k];
}
