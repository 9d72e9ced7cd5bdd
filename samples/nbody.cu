// Gravitational acceleration of n bodies, every pair computed directly.
//
// n^2 interactions on 28 n bytes: the intensity grows with n, and for more than a few hundred
// bodies only arithmetic counts. A float4 holds position and mass, so one load brings a body.
#include <cmath>
#include <cstdio>
#include <cstdlib>

__global__ void nbody(const float4 *position, float3 *acceleration, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 me = position[i];
    float ax = 0.0f, ay = 0.0f, az = 0.0f;
    for (int j = 0; j < n; ++j) {
        float4 other = position[j];
        float dx = other.x - me.x;
        float dy = other.y - me.y;
        float dz = other.z - me.z;
        float r2 = dx * dx + dy * dy + dz * dz + 1e-6f;
        float inv = rsqrtf(r2);
        float s = other.w * inv * inv * inv;
        ax += dx * s;
        ay += dy * s;
        az += dz * s;
    }
    acceleration[i] = make_float3(ax, ay, az);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4096;
    float4 *position;
    float3 *acceleration;
    cudaMallocManaged(&position, n * sizeof(float4));
    cudaMallocManaged(&acceleration, n * sizeof(float3));
    for (int i = 0; i < n; ++i)
        position[i] = make_float4(i % 16, (i / 16) % 16, i / 256, 1.0f);

    const int threads = 128;
    const int blocks = (n + threads - 1) / threads;
    nbody<<<blocks, threads>>>(position, acceleration, n);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int i = 0; i < n; i += 501) {
        double ax = 0.0;
        for (int j = 0; j < n; ++j) {
            double dx = position[j].x - position[i].x;
            double dy = position[j].y - position[i].y;
            double dz = position[j].z - position[i].z;
            double r2 = dx * dx + dy * dy + dz * dz + 1e-6;
            ax += position[j].w * dx / (r2 * sqrt(r2));
        }
        wrong += fabs(acceleration[i].x - ax) > 1e-3 * (1.0 + fabs(ax));
    }
    printf("nbody, n = %d: %d wrong\n", n, wrong);
    cudaFree(position);
    cudaFree(acceleration);
    return wrong != 0;
}
