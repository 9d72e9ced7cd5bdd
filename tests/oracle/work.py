"""Single statements of random kernels: each costs something."""

from __future__ import annotations

from oracle.writer import Writer

HELPERS = {
    "pick_one": "__device__ float pick_one(float x, int i)\n{\n    if (i % 3 == 0)\n"
    "        return x * 2.0f;\n    return x + 1.0f;\n}\n",
    "add_to": "__device__ __forceinline__ void add_to(float &sum, float x)\n{\n    sum += x;\n}\n",
    "twice": "template <typename T> __device__ T twice(T x)\n{\n    return x + x;\n}\n",
    "total": "__device__ float total(const float *p, int n)\n{\n    float sum = 0.0f;\n"
    "    for (int q = 0; q < n; ++q)\n        sum += p[q];\n    return sum;\n}\n",
}


def work(writer: Writer, variables: list[str]) -> None:
    """One piece of work of any kind."""
    kind = writer.number(0, len(_KINDS) - 1)
    _KINDS[kind](writer, variables)


def _arithmetic(writer: Writer, variables: list[str]) -> None:
    array, other = writer.pick("a", "b"), writer.pick("a", "b")
    index, second = writer.index(variables), writer.index(variables)
    writer.write(
        writer.pick(
            f"s += {array}[{index}] * {other}[{second}];",
            f"s = s * 0.5f + {array}[{index}];",
            f"s += sqrtf({array}[{index}]) / 3.0f;",
            f"s = fmaf({array}[{index}], 2.0f, s);",
            f"d += {array}[{index}] * 2.0;",
            f"d -= (double){array}[{index}];",
            f"s = fmaxf(s, -{array}[{index}]);",
            f"s += {array}[{index}] * (1.0f / 3.0f);",
        )
    )


def _store(writer: Writer, variables: list[str]) -> None:
    array, index, second = writer.pick("a", "b"), writer.index(variables), writer.index(variables)
    writer.write(
        writer.pick(
            f"out[{index}] = s + 1.0f;",
            f"out[{index}] += {array}[{second}];",
            f"out[{index}]++;",
            f"out[{index}] = out[{second}];",
        )
    )


def _call(writer: Writer, variables: list[str]) -> None:
    array, index = writer.pick("a", "b"), writer.index(variables)
    name, line = writer.choose(
        ("pick_one", f"s += pick_one({array}[{index}], {variables[-1]});"),
        ("add_to", f"add_to(s, {array}[{index}]);"),
        ("twice", f"s = twice({array}[{index}]);"),
        ("twice", "d += twice(d);"),
        ("total", f"s += total({array} + {index}, {writer.pick('3', 'M', variables[0])});"),
    )
    writer.helpers.add(name)
    writer.write(line)


def _vector(writer: Writer, variables: list[str]) -> None:
    index, second = writer.index(variables), writer.index(variables)
    writer.write(
        writer.pick(
            f"{{ float4 q = v[{index}]; s += q.x * q.w - q.y; }}",
            f"s += v[{index}].z;",
            f"v[{index}].x += s;",
            f"v[{index}] = make_float4(s, 0.0f, s * 2.0f, 1.0f);",
            f"v[{index}] = v[{second}];",
        )
    )


def _record(writer: Writer, variables: list[str]) -> None:
    index, second = writer.index(variables), writer.index(variables)
    writer.write(
        writer.pick(
            f"s += p[{index}].x * p[{second}].y;",
            f"{{ Pair q = p[{index}]; q.x = s; p[{second}] = q; }}",
            f"{{ Pair *q = &p[{index}]; q->y -= 1.0f; }}",
        )
    )


def _half(writer: Writer, variables: list[str]) -> None:
    index, second = writer.index(variables), writer.index(variables)
    writer.write(
        writer.pick(
            f"s += __half2float(h[{index}]);",
            f"h[{index}] = h[{second}] * h[{second}];",
            f"h[{index}] = __hfma(h[{second}], h[{second}], __float2half(s));",
        )
    )


def _atomic(writer: Writer, variables: list[str]) -> None:
    index = writer.index(variables)
    writer.write(
        writer.pick(f"atomicAdd(&out[{index}], s);", f"atomicAdd(out + {index}, a[{index}]);")
    )


def _ternary(writer: Writer, variables: list[str]) -> None:
    index, condition = writer.index(variables), writer.condition(variables)
    writer.write(
        writer.pick(
            f"s += {condition} ? a[{index}] : 0.5f;",
            f"s = {condition} ? s * a[{index}] : b[{index}];",
        )
    )


def _local_array(writer: Writer, variables: list[str]) -> None:
    name, counter = writer.fresh(), writer.fresh()
    with writer.braces(""):
        writer.write(f"float {name}[4];")
        with writer.braces(f"for (int {counter} = 0; {counter} < 4; ++{counter})"):
            writer.write(f"{name}[{counter}] = a[{writer.index([*variables, counter])}];")
        with writer.braces(f"for (int {counter} = 1; {counter} < 4; ++{counter})"):
            writer.write(f"{name}[{counter}] += {name}[{counter} - 1];")
        writer.write(f"s += {name}[{variables[0]} % 4];")


def _moved_pointer(writer: Writer, variables: list[str]) -> None:
    pointer, counter = writer.fresh(), writer.fresh()
    start = writer.index(variables)
    bound = writer.pick("M", "3", "N")
    with writer.braces(""):
        writer.write(f"const float *{pointer} = {writer.pick('a', 'b')} + {start};")
        with writer.braces(f"for (int {counter} = 0; {counter} < {bound}; ++{counter})"):
            step = writer.pick("M", "2", "N", "1")
            writer.write(
                writer.pick(
                    f"s += *{pointer}++;",
                    f"s += *{pointer}; {pointer} += {step};",
                    f"s += {pointer}[1]; {pointer} = {pointer} + {step};",
                )
            )


def _switch(writer: Writer, variables: list[str]) -> None:
    first = writer.pick(*variables)
    with writer.braces(f"switch ({writer.pick(f'{first} % 3', 'M', first)})"):
        writer.write("case 0:")
        writer.write(f"    s += a[{writer.index(variables)}];")
        writer.write(writer.pick("    break;", "    // falls through"))
        writer.write("case 1: case 2:")
        writer.write(f"    s *= b[{writer.index(variables)}];")
        writer.write("    break;")
        if writer.chance(2):
            writer.write("default:")
            writer.write(f"    out[{writer.index(variables)}] = s;")


_KINDS = (
    _arithmetic,
    _arithmetic,
    _store,
    _call,
    _vector,
    _record,
    _half,
    _atomic,
    _ternary,
    _local_array,
    _moved_pointer,
    _switch,
)
