// Structures: one array of records, a record of arrays, and CUDA's vector types.
//
// The same particles cost the same bytes only as long as every field is used. A record that is
// loaded whole brings along what the kernel does not need.

struct Particle {
    float x, y, z;
    float vx, vy, vz;
    float mass;
    float charge;
};

struct Particles {
    float *x, *y, *z;
    float *vx, *vy, *vz;
};

struct Rotation {
    float m[3][3];
};

// Array of structures, field by field: 32 bytes apart for neighbouring threads.
__global__ void move_aos(Particle *p, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        p[i].x += dt * p[i].vx;
        p[i].y += dt * p[i].vy;
        p[i].z += dt * p[i].vz;
    }
}

// Array of structures, whole records: one load and one store of 32 bytes.
__global__ void move_records(Particle *p, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        Particle q = p[i];
        q.x += dt * q.vx;
        q.y += dt * q.vy;
        q.z += dt * q.vz;
        p[i] = q;
    }
}

// Structure of arrays, handed over by value.
__global__ void move_soa(Particles p, float dt, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    p.x[i] += dt * p.vx[i];
    p.y[i] += dt * p.vy[i];
    p.z[i] += dt * p.vz[i];
}

// Kinetic energy through a pointer to one record.
__global__ void kinetic_energy(const Particle *particles, float *energy, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const Particle *p = &particles[i];
        float v2 = p->vx * p->vx + p->vy * p->vy + p->vz * p->vz;
        energy[i] = 0.5f * p->mass * v2;
    }
}

// Product of complex numbers, each a float2.
__global__ void complex_multiply(const float2 *a, const float2 *b, float2 *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float2 u = a[i], v = b[i];
        float2 w;
        w.x = u.x * v.x - u.y * v.y;
        w.y = u.x * v.y + u.y * v.x;
        c[i] = w;
    }
}

__device__ float dot3(float3 a, float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Brings vectors to unit length.
__global__ void normalize_vectors(float3 *v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float3 a = v[i];
        float inv = rsqrtf(dot3(a, a));
        v[i] = make_float3(a.x * inv, a.y * inv, a.z * inv);
    }
}

// Turns points by a matrix that travels as a kernel argument.
__global__ void rotate_points(const float3 *in, float3 *out, Rotation r, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float3 p = in[i];
        float3 q;
        q.x = r.m[0][0] * p.x + r.m[0][1] * p.y + r.m[0][2] * p.z;
        q.y = r.m[1][0] * p.x + r.m[1][1] * p.y + r.m[1][2] * p.z;
        q.z = r.m[2][0] * p.x + r.m[2][1] * p.y + r.m[2][2] * p.z;
        out[i] = q;
    }
}

void run_structs(Particle *records, Particles arrays, float *energy, const float2 *a,
                 const float2 *b, float2 *c, float3 *v, float3 *w, Rotation r, int n)
{
    const int threads = 256;
    dim3 grid((n + threads - 1) / threads);
    move_aos<<<grid, threads>>>(records, 0.01f, n);
    move_records<<<grid, threads>>>(records, 0.01f, n);
    move_soa<<<grid, threads>>>(arrays, 0.01f, n);
    kinetic_energy<<<grid, threads>>>(records, energy, n);
    complex_multiply<<<grid, threads>>>(a, b, c, n);
    normalize_vectors<<<grid, threads>>>(v, n);
    rotate_points<<<grid, threads>>>(v, w, r, n);
}
