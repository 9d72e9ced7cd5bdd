// A 3 by 3 matrix of a class template: plain C
#include <cuda_runtime.h>

struct Mat {
    float m[3][3];
};

__global__ void transform(const float *in, float *out, float angle, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        Mat a;
        a.m[0][0] = cosf(angle);
        a.m[1][1] = sinf(angle);
        float x[3], y[3];
        for (int k = 0; k < 3; k++)
            x[k] = in[3 * i + k];
        for (int r = 0; r < 3; r++) {
            y[r] = 0;
            for (int c = 0; c < 3; c++)
                y[r] += a.m[r][c] * x[c];
        }
        for (int k = 0; k < 3; k++)
            out[3 * i + k] = y[k];
    }
}

void run(float *x, float *y, int N)
{
    transform<<<(N + 127) / 128, 128>>>(x, y, 0.5f, N);
}
