// Particles that move themselves: plain C
#include <cuda_runtime.h>

struct Particle {
    float x, v, m;
};

__global__ void advance(Particle *p, float *energy, float dt, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        for (int k = 0; k < 4; ++k) {
            p[i].v += 1.0f / p[i].m * dt;
            p[i].x += p[i].v * dt;
        }
        energy[i] = 0.5f * p[i].m * p[i].v * p[i].v;
    }
}

void run(Particle *p, float *e, int N)
{
    advance<<<(N + 127) / 128, 128>>>(p, e, 0.5f, N);
}
