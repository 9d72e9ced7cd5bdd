// Bodies that attract each other, with a vector class: C++
#include <cuda_runtime.h>

class Vector {
public:
    float x, y, z;
    __device__ Vector() : x(0), y(0), z(0) {}
    __device__ Vector(float a, float b, float c) : x(a), y(b), z(c) {}
    __device__ Vector operator-(const Vector &o) const { return Vector(x - o.x, y - o.y, z - o.z); }
    __device__ Vector operator*(float s) const { return {x * s, y * s, z * s}; }
    __device__ Vector &operator+=(const Vector &o)
    {
        x += o.x;
        y += o.y;
        z += o.z;
        return *this;
    }
    __device__ float norm2() const { return x * x + y * y + z * z; }
};

__device__ Vector pull(const Vector &a, const Vector &b)
{
    Vector d = b - a;
    float r = rsqrtf(d.norm2() + 1e-6f);
    return d * (r * r * r);
}

__global__ void forces(const Vector *body, Vector *force, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
    Vector own = body[i], sum;
    for (int j = 0; j < N; j++)
        sum += pull(own, body[j]);
    force[i] = sum;
}

void run(Vector *b, Vector *f, int N)
{
    forces<<<(N + 255) / 256, 256>>>(b, f, N);
}
