__global__ void tile_of_tile(const double *x, double *y)
{
    int i = blockIdx.x * 128 + threadIdx.x;
    double value = x[i];
    for (int offset = 4; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xffffffff, value, offset);
    y[i] = value * 4;
}
