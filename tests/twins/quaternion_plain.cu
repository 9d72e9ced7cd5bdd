// Rotation by a quaternion with static and const methods: plain C
#include <cuda_runtime.h>

struct Quat {
    float w, x, y, z;
};

__global__ void compose(const float4 *a, const float4 *b, Quat *out, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float4 p = a[i], q = b[i];
        struct Quat r;
        r.w = p.x * q.x - p.y * q.y - p.z * q.z - p.w * q.w;
        r.x = p.x * q.y + p.y * q.x + p.z * q.w - p.w * q.z;
        r.y = p.x * q.z - p.y * q.w + p.z * q.x + p.w * q.y;
        r.z = p.x * q.w + p.y * q.z - p.z * q.y + p.w * q.x;
        float s = rsqrtf(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z);
        r.w *= s;
        r.x *= s;
        r.y *= s;
        r.z *= s;
        out[i] = r;
    }
}

void run(float4 *a, float4 *b, Quat *o, int N)
{
    compose<<<(N + 127) / 128, 128>>>(a, b, o, N);
}
