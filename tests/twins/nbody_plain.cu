// Bodies that attract each other, with a vector class: plain C
#include <cuda_runtime.h>

struct Vector {
    float x, y, z;
};

__global__ void forces(const Vector *body, Vector *force, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
    Vector own = body[i];
    Vector sum = {0, 0, 0};
    for (int j = 0; j < N; j++) {
        float dx = body[j].x - own.x;
        float dy = body[j].y - own.y;
        float dz = body[j].z - own.z;
        float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
        float s = r * r * r;
        sum.x += dx * s;
        sum.y += dy * s;
        sum.z += dz * s;
    }
    force[i] = sum;
}

void run(Vector *b, Vector *f, int N)
{
    forces<<<(N + 255) / 256, 256>>>(b, f, N);
}
