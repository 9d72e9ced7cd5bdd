#include <cub/cub.cuh>

__global__ void block_load(const float *x, float *y, float a)
{
    using Load = cub::BlockLoad<float, 128, 4>;
    using Store = cub::BlockStore<float, 128, 4>;
    __shared__ union {
        Load::TempStorage load;
        Store::TempStorage store;
    } temp;
    float items[4];
    Load(temp.load).Load(x + blockIdx.x * 512, items);
    for (int k = 0; k < 4; ++k)
        items[k] = items[k] * a;
    Store(temp.store).Store(y + blockIdx.x * 512, items);
}
