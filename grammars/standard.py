"""Types of the C++ standard library: `array`, `pair`, `tuple`, `integer_sequence`.

They are written in CUDA C++ as the standard describes them, [array], [pairs], [tuple] and
[intseq], and read like the user's own classes.
Only members are here; what is done with them has rules.
"""

from __future__ import annotations

# thrust::tuple has this many elements at most; std::tuple rarely has more.
MOST_ELEMENTS = 10

_ARRAY = """\
template <typename T, size_t N> struct std__array {
    using value_type = T;
    T held[N];
    __host__ __device__ void fill(T value) { for (int i = 0; i < N; i++) held[i] = value; }
};
"""
_PAIR = """\
template <typename A, typename B> struct std__pair {
    using first_type = A;
    using second_type = B;
    A first;
    B second;
};
"""
_SEQUENCE = """\
template <typename T, T... I> struct iseq__ {
    using value_type = T;
    __host__ __device__ static constexpr size_t size() { return sizeof...(I); }
};
template <typename T, T N> struct mkseq__ {};
template <typename... T> struct forseq__ {};
"""

SEQUENCES = frozenset({"mkseq__", "forseq__"})
ARRAYS = frozenset({"std__array", "array"})
NAMES = ARRAYS | {"std__pair", "pair", "std__tuple", "tuple"}


def _tuple(count: int) -> str:
    names = [f"T{index}" for index in range(count)]
    parameters = ", ".join(f"typename {name}" for name in names)
    fields = " ".join(f"{name} item{index};" for index, name in enumerate(names))
    return f"template <{parameters}> struct std__tuple<{', '.join(names)}> {{ {fields} }};\n"


DEFINITIONS = {
    "sequence": _SEQUENCE,
    "array": _ARRAY,
    "pair": _PAIR,
    "tuple": "template <typename... T> struct std__tuple;\n"
    + "".join(_tuple(count) for count in range(1, MOST_ELEMENTS + 1)),
}
