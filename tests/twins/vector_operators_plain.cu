// Operators on float3, as helper headers define them: plain C
#include <cuda_runtime.h>

__global__ void move(float3 *position, const float3 *velocity, float *energy, float dt, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float3 v = velocity[i];
        float3 step = make_float3(v.x * dt, v.y * dt, v.z * dt);
        position[i].x += step.x;
        position[i].y += step.y;
        position[i].z += step.z;
        float square = v.x * v.x + v.y * v.y + v.z * v.z;
        float3 w = make_float3(v.x * dt, v.y * dt, v.z * dt);
        energy[i] = 0.5f * square + (w.x * v.x + w.y * v.y + w.z * v.z);
    }
}

void run(float3 *p, float3 *v, float *e, int N)
{
    move<<<(N + 127) / 128, 128>>>(p, v, e, 0.1f, N);
}
