// Operators on float3, as helper headers define them: C++
#include <cuda_runtime.h>

inline __host__ __device__ float3 operator+(float3 a, float3 b)
{
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
inline __host__ __device__ float3 operator*(float3 a, float s)
{
    return make_float3(a.x * s, a.y * s, a.z * s);
}
inline __host__ __device__ float3 operator*(float s, float3 a) { return a * s; }
inline __host__ __device__ void operator+=(float3 &a, float3 b)
{
    a.x += b.x;
    a.y += b.y;
    a.z += b.z;
}
inline __host__ __device__ float dot(float3 a, float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

__global__ void move(float3 *position, const float3 *velocity, float *energy, float dt, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float3 v = velocity[i];
        position[i] += v * dt;
        energy[i] = 0.5f * dot(v, v) + dot(dt * v, v);
    }
}

void run(float3 *p, float3 *v, float *e, int N)
{
    move<<<(N + 127) / 128, 128>>>(p, v, e, 0.1f, N);
}
