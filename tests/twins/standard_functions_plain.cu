__global__ void standard_functions(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float best = -INFINITY;
        float v = fmaf(x[i], 2.0f, 1.0f);
        best = fmaxf(best, fabsf(v));
        y[i] = sqrtf(best) + fminf(v, 1.0f);
    }
}
