// 256 rounds of an integer hash on each element.
//
// Not one floating-point operation, so a roofline of FLOPs has nothing to say about it. Yet it is
// arithmetic that takes the time: multiplications, shifts and exclusive ors of integers.
#include <cstdio>
#include <cstdlib>

__global__ void hash_int(const unsigned *in, unsigned *out, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        unsigned h = in[i];
        for (int r = 0; r < 256; ++r) {
            h ^= h >> 16;
            h *= 0x85ebca6bu;
            h ^= h >> 13;
            h *= 0xc2b2ae35u;
        }
        out[i] = h;
    }
}

int main(int argc, char **argv)
{
    int N = argc > 1 ? atoi(argv[1]) : 1 << 20;
    unsigned *in, *out;
    cudaMallocManaged(&in, N * sizeof(unsigned));
    cudaMallocManaged(&out, N * sizeof(unsigned));
    for (int i = 0; i < N; ++i)
        in[i] = i;

    hash_int<<<(N + 255) / 256, 256>>>(in, out, N);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int i = 0; i < N; i += 1009) {
        unsigned h = i;
        for (int r = 0; r < 256; ++r) {
            h ^= h >> 16;
            h *= 0x85ebca6bu;
            h ^= h >> 13;
            h *= 0xc2b2ae35u;
        }
        wrong += out[i] != h;
    }
    printf("hash_int, N = %d: %d wrong\n", N, wrong);
    cudaFree(in);
    cudaFree(out);
    return wrong != 0;
}
