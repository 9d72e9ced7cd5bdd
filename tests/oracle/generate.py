"""Random kernels: the shapes of real ones, small enough to run thread by thread.

Arrays are as long as they need to be, so only indices below 0 have to be avoided: every index
is made of variables that are not negative, with coefficients that are not either.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import strategies as st


@dataclass(frozen=True)
class Generated:
    """A kernel `k` with its launch and sizes."""

    source: str
    launch: str
    values: dict[str, int]


@dataclass
class Writer:
    """Writes one kernel, drawing every decision."""

    draw: st.DrawFn
    lines: list[str] = field(default_factory=list)
    depth: int = 1
    names: int = 0
    helpers: set[str] = field(default_factory=set)

    def pick(self, *choices: str) -> str:
        return self.draw(st.sampled_from(choices))

    def chance(self, one_in: int) -> bool:
        return self.draw(st.integers(1, one_in)) == 1

    def write(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def fresh(self) -> str:
        self.names += 1
        return f"v{self.names}"

    def index(self, variables: list[str]) -> str:
        """An index of an array, affine in the variables."""
        first, second = self.pick(*variables), self.pick(*variables)
        return self.pick(
            first,
            f"{first} + {self.pick('1', '2', '5')}",
            f"2 * {first} + {second}",
            f"{first} * M + {second}",
            f"{first} * N + {second}",
            f"({first} * 3 + {second}) * 2",
            f"{first} / 2",
            f"{first} % 4 + 1",
            f"({first} < M ? {first} : M)",
            f"min({first}, N - 1)",
        )

    def condition(self, variables: list[str]) -> str:
        """A condition on indices."""
        first, second = self.pick(*variables), self.pick(*variables)
        return self.pick(
            f"{first} < M",
            f"{first} % 2 == 0",
            f"{first} >= 2 && {first} < N - 1",
            f"{first} == 0 || {first} == N - 1",
            f"{first} <= {second}",
            f"{first} + {second} < N",
            f"!({first} > 3)",
            f"{first} != 1",
        )

    def work(self, variables: list[str]) -> None:
        """One statement that costs something."""
        array, other = self.pick("a", "b"), self.pick("a", "b")
        index, second = self.index(variables), self.index(variables)
        kind = self.draw(st.integers(0, 9))
        match kind:
            case 0 | 1:
                self.write(f"s += {array}[{index}] * {other}[{second}];")
            case 2:
                self.write(f"s = s * 0.5f + {array}[{index}];")
            case 3:
                self.write(f"out[{index}] = s + 1.0f;")
            case 4:
                self.write(f"out[{index}] += {array}[{second}];")
            case 5:
                self.write(f"s += sqrtf({array}[{index}]) / 3.0f;")
            case 6:
                self.helpers.add("pick_one")
                self.write(f"s += pick_one({array}[{index}], {self.pick(*variables)});")
            case 7:
                self.helpers.add("add_to")
                self.write(f"add_to(s, {array}[{index}]);")
            case 8:
                self.write(f"d += {array}[{index}] * 2.0;")
            case 9:
                self.write(f"{{ float4 q = v[{index}]; s += q.x * q.w - q.y; }}")

    def block(self, variables: list[str], budget: int, in_loop: bool) -> None:
        """Some statements at one level."""
        for _ in range(self.draw(st.integers(1, 2))):
            kind = self.draw(st.integers(0, 7)) if budget > 0 else 0
            if kind in (0, 1):
                self.work(variables)
            elif kind in (2, 3):
                self.branch(variables, budget - 1, in_loop)
            else:
                self.loop(variables, budget - 1)

    def branch(self, variables: list[str], budget: int, in_loop: bool) -> None:
        self.write(f"if ({self.condition(variables)}) {{")
        self.depth += 1
        self.block(variables, budget, in_loop)
        if self.chance(5):
            self.write(self.pick("break;", "continue;") if in_loop else "return;")
        self.depth -= 1
        if self.chance(2):
            self.write("} else {")
            self.depth += 1
            self.block(variables, budget, in_loop)
            self.depth -= 1
        self.write("}")

    def loop(self, variables: list[str], budget: int) -> None:
        name, bound = self.fresh(), self.pick(*variables)
        ends_with_step = True
        form = self.draw(st.integers(0, 9))
        heads = (
            f"for (int {name} = 0; {name} < M; ++{name}) {{",
            f"for (int {name} = 0; {name} <= {bound}; {name}++) {{",
            f"for (int {name} = {bound}; {name} < N; {name} += 2) {{",
            f"for (int {name} = M - 1; {name} >= 0; --{name}) {{",
            f"for (int {name} = 8; {name} > 0; {name} >>= 1) {{",
            f"for (int {name} = 1; {name} < 9; {name} *= 2) {{",
            f"for (unsigned {name} = 1; {name} != 4; {name}++) {{",
            f"for (int {name} = 2; {name} < M + 2; {name} += 3) {{",
        )
        if form < len(heads):
            self.write(heads[form])
        elif form == 8:
            self.write(f"int {name} = 0;")
            self.write(f"while ({name} < M) {{")
            ends_with_step = False
        else:
            self.write(f"int {name} = 0;")
            self.write("do {")
            ends_with_step = False
        self.depth += 1
        self.block([*variables, name], budget, in_loop=ends_with_step)
        if not ends_with_step:
            self.write(f"{name} += 1;")
        self.depth -= 1
        self.write(f"}} while ({name} < 3);" if form == 9 else "}")


_HELPERS = {
    "pick_one": "__device__ float pick_one(float x, int i)\n{\n    if (i % 3 == 0)\n"
    "        return x * 2.0f;\n    return x + 1.0f;\n}\n",
    "add_to": "__device__ __forceinline__ void add_to(float &sum, float x)\n{\n    sum += x;\n}\n",
}


@st.composite
def kernels(draw: st.DrawFn) -> Generated:
    """A kernel with its launch and sizes."""
    writer = Writer(draw)
    block = draw(st.sampled_from([4, 6, 8]))
    values = {"N": draw(st.integers(3, 13)), "M": draw(st.integers(1, 5))}
    flat = writer.chance(4)
    if writer.chance(3):
        launch = f"grid=((N + {block - 1})/{block}, (M + 1)/2) block=({block}, 2)"
        writer.write("int i = blockIdx.x * blockDim.x + threadIdx.x;")
        writer.write("int j = blockIdx.y * blockDim.y + threadIdx.y;")
        variables = ["i", "j"]
        guard = writer.pick("i < N && j < M", "i < N", "j < M && i < N - 1")
    elif flat:
        launch = f"grid=((N*M + {block - 1})/{block}) block=({block})"
        writer.write("int t = blockIdx.x * blockDim.x + threadIdx.x;")
        writer.write("int i = t / M, j = t % M;")
        variables = ["i", "j"]
        guard = "t < N * M"
    else:
        launch = writer.pick(
            f"grid=((N + {block - 1})/{block}) block=({block})", f"grid=(2) block=({block})"
        )
        writer.write(f"int i = blockIdx.x * {writer.pick('blockDim.x', str(block))} + threadIdx.x;")
        variables = ["i"]
        guard = writer.pick("i < N", "i < N - 1", "i > 0 && i < N")
    writer.write("float s = 0.0f;")
    writer.write("double d = 0.0;")
    _body(writer, variables, guard)
    helpers = "".join(_HELPERS[name] for name in sorted(writer.helpers))
    head = (
        "__global__ void k(const float *a, const float *__restrict__ b, const float4 *v, "
        "float *out, int N, int M)\n{\n"
    )
    return Generated(helpers + head + "\n".join(writer.lines) + "\n}\n", launch, values)


def _body(writer: Writer, variables: list[str], guard: str) -> None:
    style = writer.draw(st.integers(0, 3))
    if style == 0:
        writer.write(f"if (!({guard}))")
        writer.write("    return;")
        writer.block(variables, 2, in_loop=False)
        writer.write(f"out[{variables[0]}] = s;")
    elif style == 1 and variables == ["i"]:
        step = writer.pick("gridDim.x * blockDim.x", "blockDim.x * gridDim.x")
        writer.write(f"for (int g = i; g < N; g += {step}) {{")
        writer.depth += 1
        writer.block(["g"], 1, in_loop=True)
        writer.write("out[g] = s;")
        writer.depth -= 1
        writer.write("}")
    else:
        writer.write(f"if ({guard}) {{")
        writer.depth += 1
        writer.block(variables, 2, in_loop=False)
        writer.write(f"out[{variables[0]}] = s + d;")
        writer.depth -= 1
        writer.write("}")
