"""Blocks, branches and loops of random kernels."""

from __future__ import annotations

from oracle.work import work
from oracle.writer import Writer


def block(writer: Writer, variables: list[str], budget: int, leave: str = "return") -> None:
    """Some statements at one level; `leave` is how a branch may leave early."""
    for _ in range(writer.number(1, 2)):
        kind = writer.number(0, 7) if budget > 0 else 0
        if kind in (0, 1):
            work(writer, variables)
        elif kind in (2, 3):
            _branch(writer, variables, budget - 1, leave)
        else:
            _loop(writer, variables, budget - 1)


def _branch(writer: Writer, variables: list[str], budget: int, leave: str) -> None:
    with writer.braces(f"if ({writer.condition(variables)})"):
        block(writer, variables, budget, leave)
        if writer.chance(5):
            writer.write(f"{writer.pick('break', 'continue') if leave == 'loop' else leave};")
    if writer.chance(2):
        with writer.braces("else"):
            block(writer, variables, budget, leave)


def _loop(writer: Writer, variables: list[str], budget: int) -> None:
    name, bound = writer.fresh(), writer.pick(*variables)
    heads = (
        f"for (int {name} = 0; {name} < M; ++{name})",
        f"for (int {name} = 0; {name} <= {bound}; {name}++)",
        f"for (int {name} = 0; {name} < {bound}; {name}++)",
        f"for (int {name} = {bound}; {name} < N; {name} += 2)",
        f"for (int {name} = M - 1; {name} >= 0; --{name})",
        f"for (int {name} = {bound}; {name} > 0; {name} -= 2)",
        f"for (int {name} = 8; {name} > 0; {name} >>= 1)",
        f"for (int {name} = 1; {name} < 9; {name} *= 2)",
        f"for (int {name} = 1; {name} < N; {name} *= 2)",
        f"for (int {name} = N; {name} > 1; {name} /= 2)",
        f"for (unsigned {name} = 1; {name} != 4; {name}++)",
        f"for (size_t {name} = {bound}; {name} < N; ++{name})",
        f"for (int {name} = 2; {name} < M + 2; {name} += 3)",
        f"for (int {name} = threadIdx.x; {name} < N; {name} += blockDim.x)",
    )
    form = writer.number(0, len(heads) + 1)
    if form < len(heads):
        if writer.chance(6):
            writer.write("#pragma unroll")
        with writer.braces(heads[form]):
            block(writer, [*variables, name], budget, "loop")
        return
    writer.write(f"int {name} = 0;")
    head, tail = (f"while ({name} < M)", "}")
    if form > len(heads):
        head, tail = ("do", f"}} while ({name} < 3);")
    with writer.braces(head, tail):
        # No break or continue here: continue would pass over the step.
        block(writer, [*variables, name], budget, "return")
        writer.write(f"{name} += 1;")
