// A vector of fixed length as a class template: plain C
#include <cuda_runtime.h>

__global__ void rows(const float *a, const float *b, float *out, int M)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < M) {
        float sum = 0;
        for (int k = 0; k < 8; k++)
            sum += a[8 * i + k] * b[8 * i + k];
        out[i] = sum;
    }
}

void run(Vec<float, 8> *a, Vec<float, 8> *b, float *o, int M)
{
    rows<<<(M + 127) / 128, 128>>>(a, b, o, M);
}
