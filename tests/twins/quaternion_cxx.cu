// Rotation by a quaternion with static and const methods: C++
#include <cuda_runtime.h>

struct Quat {
    float w, x, y, z;
    __device__ static Quat make(float4 v) { return {v.x, v.y, v.z, v.w}; }
    __device__ Quat operator*(const Quat &q) const
    {
        return {w * q.w - x * q.x - y * q.y - z * q.z, w * q.x + x * q.w + y * q.z - z * q.y,
                w * q.y - x * q.z + y * q.w + z * q.x, w * q.z + x * q.y - y * q.x + z * q.w};
    }
    __device__ Quat &normalise()
    {
        const float s = rsqrtf(w * w + x * x + y * y + z * z);
        w *= s;
        x *= s;
        y *= s;
        z *= s;
        return *this;
    }
};

__global__ void compose(const float4 *a, const float4 *b, Quat *out, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        Quat q = Quat::make(a[i]) * Quat::make(b[i]);
        out[i] = q.normalise();
    }
}

void run(float4 *a, float4 *b, Quat *o, int N)
{
    compose<<<(N + 127) / 128, 128>>>(a, b, o, N);
}
