// Scaled scores of attention: S[h][i][j] = scale * sum over d of Q[h][i][d] * K[h][j][d].
//
// A batch of matrix products with the second factor transposed, one head for each z of the grid.
// Neighbouring threads read neighbouring rows of K, D elements apart.
#include <cmath>
#include <cstdio>
#include <cstdlib>

__global__ void attention_scores(const float *Q, const float *K, float *S, int H, int L, int D, float scale)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    int h = blockIdx.z;
    if (i < L && j < L) {
        float acc = 0.0f;
        for (int d = 0; d < D; ++d)
            acc += Q[(h * L + i) * D + d] * K[(h * L + j) * D + d];
        S[(h * L + i) * L + j] = scale * acc;
    }
}

int main(int argc, char **argv)
{
    int H = 8, D = 64;
    int L = argc > 1 ? atoi(argv[1]) : 512;
    float *Q, *K, *S;
    cudaMallocManaged(&Q, H * L * D * sizeof(float));
    cudaMallocManaged(&K, H * L * D * sizeof(float));
    cudaMallocManaged(&S, H * L * L * sizeof(float));
    for (int i = 0; i < H * L * D; ++i) {
        Q[i] = 0.1f * (i % 23);
        K[i] = 0.1f * (i % 19);
    }

    dim3 block(16, 16);
    dim3 grid((L + block.x - 1) / block.x, (L + block.y - 1) / block.y, H);
    float scale = 1.0f / sqrtf((float)D);
    attention_scores<<<grid, block>>>(Q, K, S, H, L, D, scale);
    cudaDeviceSynchronize();

    int wrong = 0;
    for (int h = 0; h < H; ++h)
        for (int i = 0; i < L; i += 61)
            for (int j = 0; j < L; j += 59) {
                float expected = 0.0f;
                for (int d = 0; d < D; ++d)
                    expected += Q[(h * L + i) * D + d] * K[(h * L + j) * D + d];
                wrong += fabsf(S[(h * L + i) * L + j] - scale * expected) > 1e-2f;
            }
    printf("attention_scores, L = %d: %d wrong\n", L, wrong);
    cudaFree(Q);
    cudaFree(K);
    cudaFree(S);
    return wrong != 0;
}
