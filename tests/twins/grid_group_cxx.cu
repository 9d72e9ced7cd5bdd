#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void grid_group(float *x, float a, int n)
{
    cg::grid_group grid = cg::this_grid();
    for (int i = grid.thread_rank(); i < n; i += grid.size())
        x[i] *= a;
    grid.sync();
}

int main()
{
    grid_group<<<64, 256>>>(nullptr, 2.0f, 1 << 20);
}
