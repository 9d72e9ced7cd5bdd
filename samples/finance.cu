// Option prices by formula and by chance.
//
// Black and Scholes' formula is full of special functions, which the usual count of FLOPs does not
// see. The simulation loads nothing at all.
#include <cmath>

__device__ __forceinline__ float normal_cdf(float x)
{
    return 0.5f * erfcf(-0.70710678f * x);
}

// European call and put.
__global__ void black_scholes(const float *price, const float *strike, const float *years,
                              float *call, float *put, float rate, float volatility, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float s = price[i];
    float k = strike[i];
    float t = years[i];
    float spread = volatility * sqrtf(t);
    float d1 = (logf(s / k) + (rate + 0.5f * volatility * volatility) * t) / spread;
    float d2 = d1 - spread;
    float discounted = k * expf(-rate * t);
    float c = s * normal_cdf(d1) - discounted * normal_cdf(d2);
    call[i] = c;
    put[i] = c - s + discounted;
}

// The number of random points inside a quarter of the unit circle.
__global__ void estimate_pi(unsigned int *inside, unsigned int seed, int samples, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned int state = seed ^ (i * 2654435761u + 1u);
    unsigned int hits = 0;
    for (int k = 0; k < samples; ++k) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        float x = (state & 0xffffu) * 1.52587890625e-5f;
        float y = (state >> 16) * 1.52587890625e-5f;
        if (x * x + y * y <= 1.0f)
            ++hits;
    }
    inside[i] = hits;
}

// Binomial tree for one option a block: a triangle of steps in shared memory.
#define STEPS 64
__global__ void binomial_tree(const float *price, const float *strike, float *value, float up,
                              float p, float discount, int options)
{
    __shared__ float v[STEPS + 1];
    int option = blockIdx.x;
    if (option >= options)
        return;
    int t = threadIdx.x;
    if (t <= STEPS) {
        float s = price[option] * powf(up, 2 * t - STEPS);
        v[t] = fmaxf(s - strike[option], 0.0f);
    }
    __syncthreads();
    for (int step = STEPS; step > 0; --step) {
        float next = 0.0f;
        if (t < step)
            next = discount * (p * v[t + 1] + (1.0f - p) * v[t]);
        __syncthreads();
        if (t < step)
            v[t] = next;
        __syncthreads();
    }
    if (t == 0)
        value[option] = v[0];
}

void run_finance(const float *price, const float *strike, const float *years, float *call,
                 float *put, unsigned int *inside, int n, int samples)
{
    int threads = 128;
    int blocks = (n + threads - 1) / threads;
    black_scholes<<<blocks, threads>>>(price, strike, years, call, put, 0.02f, 0.3f, n);
    estimate_pi<<<blocks, threads>>>(inside, 1234u, samples, n);
    binomial_tree<<<n, 96>>>(price, strike, call, 1.05f, 0.5f, 0.999f, n);
}
