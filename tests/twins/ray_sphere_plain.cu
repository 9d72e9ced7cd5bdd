// Rays and spheres as objects: plain C
#include <cuda_runtime.h>

struct Vec3 {
    float x, y, z;
};
struct Sphere {
    struct Vec3 centre;
    float radius;
};

__global__ void trace(float *out, Sphere sphere, int W, int H)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < W && y < H) {
        float ox = 0, oy = 0, oz = 0;
        float dx = x * 0.1f, dy = y * 0.1f, dz = 1;
        float cx = ox - sphere.centre.x, cy = oy - sphere.centre.y, cz = oz - sphere.centre.z;
        float b = cx * dx + cy * dy + cz * dz;
        float c = cx * cx + cy * cy + cz * cz - sphere.radius * sphere.radius;
        out[y * W + x] = b * b - c;
    }
}

void run(float *o, Sphere s, int W, int H)
{
    trace<<<dim3((W + 15) / 16, (H + 15) / 16), dim3(16, 16)>>>(o, s, W, H);
}
