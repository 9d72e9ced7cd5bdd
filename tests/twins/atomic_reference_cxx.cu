#include <cuda/atomic>

__global__ void atomic_reference(float *sums, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        cuda::atomic_ref<float, cuda::thread_scope_device> total(sums[0]);
        total.fetch_add(x[i], cuda::memory_order_relaxed);
    }
}
