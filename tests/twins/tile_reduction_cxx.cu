#include <cooperative_groups.h>
namespace cg = cooperative_groups;

template <typename Group>
__device__ float sum(Group group, float value)
{
    for (int offset = group.size() / 2; offset > 0; offset /= 2)
        value += group.shfl_down(value, offset);
    return value;
}

__global__ void tile_reduction(const float *x, float *y, int n)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    int i = block.group_index().x * block.size() + block.thread_rank();
    float value = i < n ? x[i] : 0.0f;
    value = sum(tile, value);
    if (tile.thread_rank() == 0)
        y[i / 32] = value;
}
