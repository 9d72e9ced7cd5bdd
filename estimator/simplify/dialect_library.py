"""Rows of the table of constructs: CUDA's libraries, intrinsics and inline assembly."""

from __future__ import annotations

from estimator.simplify.dialect import Row, Section

_CG = "namespace cg = cooperative_groups;"
_TILE = "auto tile = cg::tiled_partition<32>(cg::this_thread_block());"

LIBRARIES: tuple[Section, ...] = (
    Section(
        "Cooperative groups",
        (
            Row(
                "groups",
                "cg::thread_block block = cg::this_thread_block(); block.sync();",
                "cg__thread_block block = cg__this_thread_block(); cg__sync(block);",
                before=_CG,
            ),
            Row(
                "tiles",
                "cg::thread_block_tile<32> t = cg::tiled_partition<32>(cg::this_thread_block());",
                "cg__thread_block_tile t = cg__tiled_partition(cg__this_thread_block(), 32);",
                before=_CG,
            ),
            Row(
                "shuffles and votes of a group",
                f"{_TILE} x[n] = tile.shfl_down(x[n], 1);",
                "x[n] = cg__shfl_down(tile, x[n], 1);",
                before=_CG,
            ),
            Row(
                "`reduce`",
                f"{_TILE} x[n] = cg::reduce(tile, x[n], cg::plus<float>());",
                "x[n] = cg__reduce(tile, x[n], functor__plus);",
                before=_CG,
            ),
            Row(
                "names without their namespace",
                "thread_block g = this_thread_block(); sync(g);",
                "cg__thread_block g = cg__this_thread_block(); cg__sync(g);",
                before="using namespace cooperative_groups;",
            ),
            Row(
                "a tile's size as a template parameter",
                "namespace cg = cooperative_groups; template <int N> __device__ int f"
                "(cg::thread_block_tile<N> g) { return N; } __global__ void k(int *x) "
                "{ x[0] = f(cg::tiled_partition<8>(cg::this_thread_block())); }",
                "x[0] = f__N(cg__tiled_partition(cg__this_thread_block(), 8), "
                "cg__size(cg__tiled_partition(cg__this_thread_block(), 8)));",
            ),
        ),
    ),
    Section(
        "CUB, Thrust, libcu++",
        (
            Row(
                "operations of a block or a warp",
                "using R = cub::BlockReduce<float, 256>; __shared__ typename R::TempStorage t; "
                "x[n] = R(t).Sum(x[n]);",
                "x[n] = cub__BlockReduce__Sum__1(x[n], 256);",
            ),
            Row(
                "function objects",
                "x[n] = cub::WarpReduce<float>(t).Reduce(x[n], cub::Max());",
                "x[n] = cub__WarpReduce__Reduce__2(x[n], functor__max, 32);",
                before="__device__ int t;",
            ),
            Row(
                "operations of the user's own",
                "x[n] = cub::WarpReduce<float>(t).Reduce(x[n], Most());",
                "x[n] = cub__WarpReduce__Reduce__2(x[n], (Most){}, 32);",
                before="__device__ int t; struct Most { __device__ float operator()(float a, "
                "float b) const { return a > b ? a : b; } };",
            ),
            Row("numeric functions", "x[n] = cuda::std::fma(x[n], 2.0f, x[0]);", "fma(x[n],"),
            Row(
                "limits",
                "x[n] = std::numeric_limits<float>::infinity();",
                "x[n] = __int_as_float(0x7f800000);",
            ),
            Row(
                "atomic references",
                "cuda::atomic_ref<float, cuda::thread_scope_device> a(x[n]); a.fetch_add(1.0f);",
                "[[cuda::reference]] auto a = x[n]; atomicAdd(&(a), 1.0f);",
            ),
            Row(
                "barriers",
                "__shared__ cuda::barrier<cuda::thread_scope_block> b; b.arrive_and_wait();",
                "[[cuda::shared]] cuda__barrier b; cuda__arrive_and_wait(b);",
            ),
        ),
    ),
    Section(
        "Values of the standard library",
        (
            Row(
                "`array`",
                "std::array<float, 4> a{1, 2}; a[n] = a.size();",
                "std__array__float_4 a = {1, 2}; a.held[n] = 4;",
            ),
            Row(
                "a range-based `for` over one",
                "cuda::std::array<float, 4> a; for (float &v : a) v = 1;",
                "i__v < 4; i__v++) { [[cuda::reference]] float v = a.held[i__v]; v = 1; }",
            ),
            Row(
                "`pair`",
                "auto p = std::make_pair(n, x[0]); x[1] = p.second;",
                "auto p = (std__pair__int_float){n, x[0]}; x[1] = p.second;",
            ),
            Row(
                "`tuple`",
                "std::tuple<int, float> t{n, 1}; x[0] = std::get<1>(t);",
                "std__tuple__int_float t = {n, 1}; x[0] = t.item1;",
            ),
            Row(
                "`tie`",
                "std::tie(n, x[0]) = std::make_tuple(1, x[1]);",
                "{ auto tied__n = (std__tuple__int_float){1, x[1]}; n = tied__n.item0; "
                "x[0] = tied__n.item1; }",
            ),
            Row("types left out", "std::pair p(n, 2.0f);", "std__pair__int_float p = {n, 2.0f};"),
        ),
    ),
    Section(
        "Tensor cores",
        (
            Row(
                "`wmma` fragments",
                "wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a; "
                "wmma::fill_fragment(a, half(0));",
                "wmma__fragment__matrix_a__16_16_16__half__row a; wmma__fill_fragment(a,",
                before="using namespace nvcuda;",
            ),
            Row(
                "`mma_sync`",
                "wmma::fragment<wmma::accumulator, M, 16, 16, float> c; "
                "wmma::mma_sync(c, a, a, c);",
                "wmma__mma_sync(c, a, a, c);",
                before="using namespace nvcuda; const int M = 16; __device__ int a;",
            ),
        ),
    ),
    Section(
        "Textures and surfaces",
        (
            Row("texture objects", "x[n] = tex2D<float>(t, n, 0);", "x[n] = tex2D__float(t, n, 0);",
                before="__device__ cudaTextureObject_t t;"),
            Row(
                "texture references",
                "x[n] = tex1Dfetch(t, n);",
                "texture__float t;",
                before="texture<float, 1, cudaReadModeElementType> t;",
            ),
            Row(
                "surfaces",
                "surf2Dwrite(x[n], s, n * 4, 0);",
                "surface__reference s;",
                before="surface<void, 2> s;",
            ),
        ),
    ),
    Section(
        "Intrinsics and assembly",
        (
            Row("loads and stores with a hint", "__stcs(x, __ldg(x + n));", "__stcs(x, __ldg("),
            Row("votes", "n = __popc(__ballot_sync(0xffffffff, n));", "__popc(__ballot_sync("),
            Row("halves", "x[n] = __low2float(__hadd2(h, h));", "__low2float(__hadd2(h, h))",
                before="__device__ half2 h;"),
            Row(
                "random numbers",
                "curandState s; curand_init(1, n, 0, &s); x[n] = curand_uniform(&s);",
                "curandState s; curand_init(1, n, 0, &s); x[n] = curand_uniform(&s);",
            ),
            Row(
                "inline assembly",
                'asm("fma.rn.f32 %0, %1, %1, %1;" : "=f"(x[n]) : "f"(x[0]));',
                'ptx__("fma.rn.f32 %0, %1, %1, %1;", 1, x[n], x[0]);',
            ),
        ),
    ),
)  # fmt: skip
