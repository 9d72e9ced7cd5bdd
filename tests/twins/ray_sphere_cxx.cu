// Rays and spheres as objects: C++
#include <cuda_runtime.h>

struct Vec3 {
    float x, y, z;
    __device__ Vec3(float a = 0, float b = 0, float c = 0) : x(a), y(b), z(c) {}
    __device__ friend Vec3 operator-(const Vec3 &a, const Vec3 &b)
    {
        return Vec3(a.x - b.x, a.y - b.y, a.z - b.z);
    }
    __device__ float dot(const Vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
};
struct Ray {
    Vec3 origin, direction;
    __device__ Ray(const Vec3 &o, const Vec3 &d) : origin(o), direction(d) {}
};
struct Sphere {
    Vec3 centre;
    float radius;
    __device__ float discriminant(const Ray &r) const
    {
        Vec3 oc = r.origin - centre;
        float b = oc.dot(r.direction);
        float c = oc.dot(oc) - radius * radius;
        return b * b - c;
    }
};

__global__ void trace(float *out, Sphere sphere, int W, int H)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < W && y < H) {
        Ray ray({0, 0, 0}, Vec3(x * 0.1f, y * 0.1f, 1));
        out[y * W + x] = sphere.discriminant(ray);
    }
}

void run(float *o, Sphere s, int W, int H)
{
    trace<<<dim3((W + 15) / 16, (H + 15) / 16), dim3(16, 16)>>>(o, s, W, H);
}
