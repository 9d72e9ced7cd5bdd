"""Writing a random kernel: every decision is drawn, so that hypothesis can shrink it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from hypothesis import strategies as st


@dataclass
class Writer:
    """The kernel's lines so far, and the helpers that they call.

    Arrays are as long as they need to be, so only indices below 0 have to be avoided: every
    index is made of variables that are not negative, with coefficients that are not either.
    """

    draw: st.DrawFn
    lines: list[str] = field(default_factory=list)
    depth: int = 1
    names: int = 0
    helpers: set[str] = field(default_factory=set)

    def pick(self, *choices: str) -> str:
        return self.draw(st.sampled_from(choices))

    def choose(self, *choices: tuple[str, str]) -> tuple[str, str]:
        return self.draw(st.sampled_from(choices))

    def number(self, low: int, high: int) -> int:
        return self.draw(st.integers(low, high))

    def chance(self, one_in: int) -> bool:
        """True once in so many times; hypothesis shrinks towards False."""
        return self.draw(st.integers(1, one_in)) == one_in

    def write(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    @contextmanager
    def braces(self, head: str, tail: str = "}") -> Iterator[None]:
        """`head {`, what the body of the `with` writes one level deeper, `tail`."""
        self.write(f"{head} {{")
        self.depth += 1
        yield
        self.depth -= 1
        self.write(tail)

    def fresh(self) -> str:
        self.names += 1
        return f"v{self.names}"

    def index(self, variables: list[str]) -> str:
        """An index of an array, mostly affine in the variables."""
        first, second = self.pick(*variables), self.pick(*variables)
        return self.pick(
            first,
            f"{first} + {self.pick('1', '2', '5')}",
            f"2 * {first} + {second}",
            f"{first} * M + {second}",
            f"{first} * N + {second}",
            f"({first} * 3 + {second}) * 2",
            f"AT({first}, {second})",
            f"{first} / 2",
            f"{first} % 4 + 1",
            f"({first} < M ? {first} : M)",
            f"min({first}, N - 1)",
            f"max({first}, M) - M",
            f"{first} / M",
            f"{first} % M",
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
            f"{first} / 2 < M",
            f"N - {first} > 2",
        )
