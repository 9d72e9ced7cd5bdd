"""`std::array`, `std::pair` and `std::tuple`: what becomes of their values."""

from __future__ import annotations

import pytest
from simplifying import item, messages, names, output, statement

A = "std::array<float, 4> a; "
P = "std::pair<int, float> p; "
STATEMENTS = {
    "a declaration": (
        "std::array<float, 4> a = {1, 2, 3, 4};",
        "std__array__float_4 a = {1, 2, 3, 4};",
    ),
    "in braces": ("std::array<float, 4> a{{1, 2}};", "std__array__float_4 a = {{1, 2}};"),
    "of libcu++": ("cuda::std::array<int, 2> a{};", "std__array__int_2 a = {};"),
    "the global namespace": ("::std::array<int, 2> a;", "std__array__int_2 a;"),
    "of Thrust": ("thrust::pair<int, float> p(1, 2);", "std__pair__int_float p = {1, 2};"),
    "an index": (A + "a[n] = a[1];", "std__array__float_4 a; a.held[n] = a.held[1];"),
    "two indices": (
        "std::array<std::array<int, 2>, 3> a; a[1][n] = 0;",
        "std__array__std__array__int_2_3 a; a.held[1].held[n] = 0;",
    ),
    "behind a pointer": (
        A + "auto *p = &a; (*p)[0] = p->size();",
        "std__array__float_4 a; auto p = &a; (*p).held[0] = 4;",
    ),
    "methods": (
        A + "a.at(n) = a.front() + a.back() + a.size() + a.empty();",
        "std__array__float_4 a; a.held[n] = a.held[0] + a.held[4 - 1] + 4 + (4 == 0);",
    ),
    "its data": (A + "float *p = a.data();", "std__array__float_4 a; float *p = a.held;"),
    "iterators": (
        A + "for (auto i = a.begin(); i != a.end(); ++i) *i = 0;",
        "std__array__float_4 a; for (auto i = a.held; i != (a.held + 4); ++i) *i = 0;",
    ),
    "a range": (
        A + "for (auto &v : a) v = 0;",
        "std__array__float_4 a; for (int i__v = 0; i__v < 4; i__v++) "
        "{ [[cuda::reference]] auto v = a.held[i__v]; v = 0; }",
    ),
    "bindings of an array": (
        "std::array<int, 2> a; auto &[p, q] = a;",
        "std__array__int_2 a; [[cuda::reference]] auto bound__p = a; "
        "[[cuda::reference]] auto p = bound__p.held[0]; "
        "[[cuda::reference]] auto q = bound__p.held[1];",
    ),
    "`get` of an array": (A + "std::get<2>(a) = 1;", "std__array__float_4 a; a.held[2] = 1;"),
    "`get` of a pair": (P + "std::get<1>(p) = 1;", "std__pair__int_float p; p.second = 1;"),
    "`get` of a tuple": (
        "std::tuple<int, float> t{1, 2}; x[0] = std::get<1>(t);",
        "std__tuple__int_float t = {1, 2}; x[0] = t.item1;",
    ),
    "`make_pair`": (
        "auto p = std::make_pair(n, x[0]); x[1] = p.second;",
        "auto p = (std__pair__int_float){n, x[0]}; x[1] = p.second;",
    ),
    "`make_pair` with types": (
        "auto p = std::make_pair<int, double>(n, x[0]);",
        "auto p = (std__pair__int_double){n, x[0]};",
    ),
    "`make_tuple`": (
        "x[0] = cuda::std::get<0>(cuda::std::make_tuple(x[1], n));",
        "x[0] = ((std__tuple__float_int){x[1], n}).item0;",
    ),
    "`tie`": (
        P + "std::tie(n, x[0]) = p;",
        "std__pair__int_float p; { auto tied__n = p; n = tied__n.first; x[0] = tied__n.second; }",
    ),
    "`tie` that ignores": (
        P + "std::tie(std::ignore, x[0]) = p;",
        "std__pair__int_float p; { auto tied__std_ignore = p; x[0] = tied__std_ignore.second; }",
    ),
    "arguments left out": (
        "std::pair p(n + 1, 2.0f); std::array a{1.0f, 2.0f};",
        "std__pair__int_float p = {n + 1, 2.0f}; std__array__float_2 a = {1.0f, 2.0f};",
    ),
    "arguments left out in a value": (
        "auto p = std::pair(n, 2.0f);",
        "auto p = (std__pair__int_float){n, 2.0f};",
    ),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_statements(name: str) -> None:
    text, expected = STATEMENTS[name]
    assert statement(text) == expected


def test_the_types_are_items_of_the_file_where_they_are_needed() -> None:
    text = "__global__ void k(float *x) { std::pair<int, float> p; x[0] = p.first; }"
    assert names(text) == ["std__pair__int_float", "k"]
    first = "typedef struct std__pair__int_float { int first; float second; }"
    assert " ".join(output(text).split()).startswith(first)


def test_a_file_that_opens_the_namespace() -> None:
    text = (
        "using namespace std;\n__device__ pair<int, float> f(array<float, 2> a)"
        " { return make_pair(1, get<0>(a)); }\n"
        "__global__ void k(float *x) { std::array<float, 2> a{}; x[0] = f(a).second; }\n"
    )
    assert item(text, "f") == (
        "[[cuda::device]] pair__int_float f(array__float_2 a)"
        " { return (pair__int_float){1, a.held[0]}; }"
    )


def test_names_of_the_files_own_are_not_taken_for_the_librarys() -> None:
    text = (
        "using namespace std;\nstruct pair { int a; };\n"
        "__device__ int get(pair p) { return p.a; }\n"
        "__global__ void k(int *array) { pair p = {1}; array[0] = get(p); }\n"
    )
    assert "array[0] = get(p);" in output(text)


def test_a_type_that_a_call_decides() -> None:
    text = (
        "template <typename T> __device__ std::pair<T, int> f(T a) { return std::make_pair(a, 0); }\n"
        "__global__ void k(float *x) { auto p = f(x[0]); x[1] = p.first; }\n"
    )
    assert names(text) == ["std__pair__float_int", "f__float", "k"]
    output(text)


def test_what_is_refused_has_its_place_and_the_users_names() -> None:
    head = "__global__ void k(float *x, int n)\n{\n"
    assert messages(head + "auto p = std::make_pair(unknown(n), 1);\n}\n") == [
        "3:10 K202 'std::make_pair' of a value whose type is not known here is not supported"
    ]
    assert messages(head + "std::tuple<int> t{1}; n = std::get<1>(t);\n}\n") == [
        "3:27 K202 'std::get' of 't' is not supported"
    ]
    assert messages(head + "std::pair<int, std::vector<int>> p;\n}\n")[0].startswith("3:")


def test_positions_behind_a_use_are_the_files_own() -> None:
    assert messages(
        "struct S { std::array<int, 2> a; };\n"
        "__global__ void k(float *x)\n{ S s; x[s.a[0]] = 1; throw 1; }\n"
    ) == ["3:23 K202 'throw' is not supported"]
