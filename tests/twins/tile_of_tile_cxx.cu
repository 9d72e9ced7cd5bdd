#include <cooperative_groups.h>
using namespace cooperative_groups;

template <int N>
__device__ double add(thread_block_tile<N> tile, double value)
{
    for (int offset = N / 2; offset > 0; offset /= 2)
        value += tile.shfl_xor(value, offset);
    return value;
}

__global__ void tile_of_tile(const double *x, double *y)
{
    thread_block block = this_thread_block();
    thread_block_tile<32> warp = tiled_partition<32>(block);
    auto small = tiled_partition<8>(warp);
    int i = block.group_index().x * 128 + block.thread_rank();
    y[i] = add(small, x[i]) * small.meta_group_size();
}
