#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void group_copy(const float *x, float *y)
{
    __shared__ float tile[512];
    auto block = cg::this_thread_block();
    cg::memcpy_async(block, tile, x + blockIdx.x * 512, sizeof(float) * 512);
    cg::wait(block);
    y[blockIdx.x * 128 + threadIdx.x] = tile[threadIdx.x];
}

int main()
{
    group_copy<<<64, 128>>>(nullptr, nullptr);
}
