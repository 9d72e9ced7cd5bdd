// Particles that move themselves: C++
#include <cuda_runtime.h>

struct Particle {
    float x, v, m;
    __device__ float kinetic() const { return 0.5f * m * v * v; }
    __device__ void step(float dt, float force = 1.0f)
    {
        v += force / this->m * dt;
        x += v * dt;
    }
};

__global__ void advance(Particle *p, float *energy, float dt, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        Particle *own = &p[i];
        for (int k = 0; k < 4; ++k)
            own->step(dt);
        energy[i] = p[i].kinetic();
    }
}

void run(Particle *p, float *e, int N)
{
    advance<<<(N + 127) / 128, 128>>>(p, e, 0.5f, N);
}
