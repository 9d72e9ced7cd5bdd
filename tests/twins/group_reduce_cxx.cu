#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void group_reduce(const float *x, float *y)
{
    __shared__ float partial[8];
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    float value = x[block.group_index().x * 256 + block.thread_rank()];
    value = cg::reduce(tile, value, cg::plus<float>());
    if (tile.thread_rank() == 0)
        partial[tile.meta_group_rank()] = value;
    cg::sync(block);
    y[block.group_index().x * 256 + block.thread_rank()] = partial[0];
}
