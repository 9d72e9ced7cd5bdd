// Loops of every shape that a kernel's cost can hang on.
//
// Rectangular, triangular, strided, downward, doubling and halving loops; while and do; loops left
// by break or cut short by continue. Each has a trip count that one can write down beforehand.

// The sum of each row of a rows x columns matrix.
__global__ void row_sums(const float *matrix, float *sums, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float sum = 0.0f;
    for (int column = 0; column < columns; ++column)
        sum += matrix[row * columns + column];
    sums[row] = sum;
}

// Upper-triangular matrix times vector: row i starts at its diagonal.
__global__ void upper_triangular(const float *U, const float *x, float *y, int N)
{
    const int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < N) {
        float acc = 0.f;
        for (int j = i; j < N; j++)
            acc += U[i * N + j] * x[j];
        y[i] = acc;
    }
}

// The mean of all elements up to and including the thread's own.
__global__ void prefix_mean(const float *x, float *mean, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        float sum = 0.0f;
        for (int j = 0; j <= i; ++j)
            sum += x[j];
        mean[i] = sum / (i + 1);
    }
}

// Running sums of each row from its end, so the loop counts down.
__global__ void suffix_sums(const float *in, float *out, int rows, int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float running = 0.0f;
    for (int j = columns - 1; j >= 0; --j) {
        running += in[row * columns + j];
        out[row * columns + j] = running;
    }
}

// Adds up every fourth element of a row.
__global__ void every_fourth(const float *in, float *out, int rows, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        for (int j = 0; j < n; j += 4)
            sum += in[row * n + j];
        out[row] = sum;
    }
}

// The sum of squared differences over all pairs of a set: a triangle inside one thread.
__global__ void pair_spread(const float *x, float *spread, int sets, int n)
{
    int set = blockIdx.x * blockDim.x + threadIdx.x;
    if (set >= sets)
        return;
    const float *mine = x + set * n;
    float sum = 0.0f;
    for (int a = 1; a < n; ++a) {
        for (int b = 0; b < a; ++b) {
            float difference = mine[a] - mine[b];
            sum += difference * difference;
        }
    }
    spread[set] = sum;
}

// Adds the elements 1, 2, 4, 8, ... of a row.
__global__ void powers_of_two(const float *in, float *out, int rows, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        for (int s = 1; s < n; s *= 2)
            sum += in[row * n + s];
        out[row] = sum;
    }
}

// The same from the other side: n, n/2, n/4, ... down to 2.
__global__ void halve(const float *in, float *out, int rows, int n)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float sum = 0.0f;
        for (int width = n; width > 1; width /= 2)
            sum += in[row * (n + 1) + width];
        out[row] = sum;
    }
}

// Square roots by six steps of Newton's method.
__global__ void newton_sqrt(const float *x, float *root, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float a = x[i];
        float guess = a;
        int step = 0;
        do {
            guess = 0.5f * (guess + a / guess);
            ++step;
        } while (step < 6);
        root[i] = guess;
    }
}

// A polynomial with `terms` coefficients, lowest power last.
__global__ void polynomial(const float *x, const float *coefficients, float *y, int n, int terms)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = x[i], acc = 0.0f;
        int k = 0;
        while (k < terms) {
            acc = acc * v + coefficients[k];
            k++;
        }
        y[i] = acc;
    }
}

// One Jacobi step for A x = b; the diagonal is passed over.
__global__ void jacobi(const float *A, const float *b, const float *x, float *x_new, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N)
        return;
    float sum = 0.0f;
    for (int j = 0; j < N; ++j) {
        if (j == i)
            continue;
        sum += A[i * N + j] * x[j];
    }
    x_new[i] = (b[i] - sum) / A[i * N + i];
}

// Upper band of width w + 1 times a vector; the loop is left where the band ends.
__global__ void upper_band(const float *A, const float *x, float *y, int N, int w)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        float acc = 0.0f;
        for (int j = i; j < N; ++j) {
            if (j > i + w)
                break;
            acc += A[i * N + j] * x[j];
        }
        y[i] = acc;
    }
}

void run_loops(float *a, float *b, float *x, float *y, int n, int m)
{
    int threads = 128;
    int blocks = (n + threads - 1) / threads;
    row_sums<<<blocks, threads>>>(a, y, n, m);
    upper_triangular<<<blocks, threads>>>(a, x, y, n);
    prefix_mean<<<blocks, threads>>>(x, y, n);
    suffix_sums<<<blocks, threads>>>(a, b, n, m);
    every_fourth<<<blocks, threads>>>(a, y, n, m);
    pair_spread<<<blocks, threads>>>(a, y, n, m);
    powers_of_two<<<blocks, threads>>>(a, y, n, m);
    halve<<<blocks, threads>>>(a, y, n, m);
    newton_sqrt<<<blocks, threads>>>(x, y, n);
    polynomial<<<blocks, threads>>>(x, a, y, n, m);
    jacobi<<<blocks, threads>>>(a, b, x, y, n);
    upper_band<<<blocks, threads>>>(a, x, y, n, m);
}
