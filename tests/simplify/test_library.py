"""CUDA's C++ libraries: their names, objects and methods in simplified CUDA C."""

from __future__ import annotations

import pytest
from simplifying import messages, statement

ALIAS = "namespace cg = cooperative_groups;\n"
STATEMENTS = {
    "a full namespace": (
        "cooperative_groups::sync(cooperative_groups::this_thread_block());",
        "cg__sync(cg__this_thread_block());",
        "",
    ),
    "another short name": (
        "auto b = groups::this_thread_block();",
        "auto b = cg__this_thread_block();",
        "namespace groups = cooperative_groups;",
    ),
    "a short name inside": (
        "namespace g = cooperative_groups; g::thread_group t = g::this_thread_block();",
        "cg__thread_group t = cg__this_thread_block();",
        "",
    ),
    "a using declaration": (
        "thread_block b = cg::this_thread_block();",
        "cg__thread_block b = cg__this_thread_block();",
        ALIAS + "using cooperative_groups::thread_block;",
    ),
    "methods of what a call gives": (
        "n = cg::this_thread_block().thread_rank();",
        "n = cg__thread_rank(cg__this_thread_block());",
        ALIAS,
    ),
    "members of what a method gives": (
        "auto b = cg::this_thread_block(); n = b.group_index().x;",
        "auto b = cg__this_thread_block(); n = cg__group_index(b).x;",
        ALIAS,
    ),
    "a tile of a tile": (
        "auto t = cg::tiled_partition<4>(cg::tiled_partition<32>(cg::this_thread_block()));",
        "auto t = cg__tiled_partition(cg__tiled_partition(cg__this_thread_block(), 32), 4);",
        ALIAS,
    ),
    "a constant as a size": (
        "cg::thread_block_tile<W> t = cg::tiled_partition<W>(cg::this_thread_block());",
        "cg__thread_block_tile t = cg__tiled_partition(cg__this_thread_block(), W);",
        ALIAS + "constexpr int W = 32;",
    ),
    "function objects in braces": (
        "x[0] = cg::reduce(cg::tiled_partition<32>(cg::this_thread_block()), x[0], "
        "cg::plus<float>{});",
        "x[0] = cg__reduce(cg__tiled_partition(cg__this_thread_block(), 32), x[0], functor__plus);",
        ALIAS,
    ),
    "no library of this name": (
        "sync(n); int reduce = n; n = reduce;",
        "sync(n); int reduce = n; n = reduce;",
        "using namespace cooperative_groups;\n__device__ void sync(int n) { }",
    ),
    "arguments of class templates": (
        "__shared__ typename cub::BlockReduce<float, 64>::TempStorage t; "
        "x[0] = cub::BlockReduce<float, 64>(t).Sum(x[0]);",
        "[[cuda::shared]] cub__TempStorage t; x[0] = cub__BlockReduce__Sum__1(x[0], 64);",
        "",
    ),
    "two dimensions": (
        "x[0] = cub::BlockReduce<float, 16, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 8>(t).Sum(x[0]);",
        "x[0] = cub__BlockReduce__Sum__1(x[0], 16 * 8);",
        "__device__ int t;",
    ),
    "a union of storage": (
        "__shared__ union { cub::BlockScan<int, 64>::TempStorage a; int b; } u;",
        "[[cuda::shared]] union { cub__TempStorage a; int b; } u;",
        "",
    ),
    "a global alias": (
        "__shared__ Reduce::TempStorage t; x[0] = Reduce(t).Sum(x[0]);",
        "[[cuda::shared]] cub__TempStorage t; x[0] = cub__BlockReduce__Sum__1(x[0], 64);",
        "typedef cub::BlockReduce<float, 64> Reduce;",
    ),
    "named constants in fragments": (
        "wmma::fragment<wmma::accumulator, W, W, 16, float> c;",
        "wmma__fragment__accumulator__16_16_16__float c;",
        "using namespace nvcuda;\nconst int W = 16;",
    ),
    "fragments without a namespace": (
        "fragment<matrix_b, 16, 16, 16, half, col_major> b; load_matrix_sync(b, x, n);",
        "wmma__fragment__matrix_b__16_16_16__half__col b; wmma__load_matrix_sync(b, x, n);",
        "using namespace nvcuda::wmma;",
    ),
    "a layout": (
        "wmma::store_matrix_sync(x, c, n, wmma::mem_col_major);",
        "wmma__store_matrix_sync(x, c, n, wmma__mem_col_major);",
        "__device__ int c;",
    ),
    "an atomic object": (
        "cuda::atomic<int> *a = 0; n = a->fetch_sub(2, cuda::memory_order_relaxed);",
        "int *a = 0; n = atomicSub(a, 2);",
        "",
    ),
    "an atomic reference in braces": (
        "cuda::atomic_ref<float> a{x[n]}; x[0] = a.load(); a.store(2.0f);",
        "[[cuda::reference]] auto a = x[n]; x[0] = (a); (a = 2.0f);",
        "",
    ),
    "moved": ("n = std::move(n);", "n = (n);", ""),
    "limits of integers": (
        "n = std::numeric_limits<unsigned short>::max() + std::numeric_limits<int>::lowest();",
        "n = 65535u + (-2147483647 - 1);",
        "",
    ),
    "named assembly operands": (
        'asm volatile("add.f32 %[r], %[a], 1.0;" : [r] "=f"(x[0]) : [a] "f"(x[n]));',
        'ptx__("add.f32 %0, %1, 1.0;", 1, x[0], x[n]);',
        "",
    ),
    "assembly in several strings": (
        'asm("mov.u32 %0, "\n        "%laneid;" : "=r"(n));',
        'ptx__("mov.u32 %0, %laneid;", 1, n);',
        "",
    ),
    "assembly that reads its output": (
        'asm("add.s32 %0, %0, 1;" : "+r"(n));',
        'ptx__("add.s32 %0, %0, 1;", 1, n, n);',
        "",
    ),
}


@pytest.mark.parametrize(("source", "expected", "before"), STATEMENTS.values(), ids=STATEMENTS)
def test_statements(source: str, expected: str, before: str) -> None:
    assert " ".join(statement(source, before).split()) == expected


def test_methods_of_the_users_own_types_are_not_a_librarys() -> None:
    text = (
        "struct Pool { int n; __device__ void spin() { } };\n"
        "__global__ void k(Pool p, int *x) { p.hurry(3); x[0] = p.n; }\n"
    )
    assert messages(text) == [
        "2:37 K202 the call of a member function, 'p.hurry', is not supported"
    ]


def test_a_library_type_without_a_rule_is_named_whole() -> None:
    (found,) = messages("__global__ void k(thrust::complex<float> *z) { z[0] = z[1]; }")
    assert found.endswith("the type 'complex<float>' is not supported")


def test_positions_are_the_users() -> None:
    text = (
        "namespace cg = cooperative_groups;\n"
        "__global__ void k(int *x) {\n"
        "    cg::this_thread_block().sync();\n"
        "    auto f = cg::this_thread_block().thread_rank() + new int;\n"
        "}\n"
    )
    (found,) = messages(text)
    assert found.startswith("4:54 K202 'new'")
