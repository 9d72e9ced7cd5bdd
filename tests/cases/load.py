"""The tables of expected costs and of test launches, as data.

`cases()` joins expected.toml and launches.toml: one `Case` for each kernel of the samples.
"""

import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).parent
SAMPLES = HERE.parent.parent / "samples"

FORMULA_TABLES = ("per_thread", "compiled_per_thread")


@dataclass(frozen=True, slots=True)
class Case:
    """One kernel, how the tests launch it, and what it costs.

    `grid`, `block`, `shared_bytes` and the sizes inside `arguments` are Python expressions in
    the names of `sizes`; `launch` is the same grid and block as `kcost analyze --launch` reads
    them. `formulas` holds what is sympy syntax, with a dot for a table inside
    ("total_flops", "per_thread.loads"); `facts` holds every other key as it stands.
    """

    name: str
    file: Path
    kernel: str
    symbol: str | None
    launch: str
    sizes: dict[str, int]
    grid: tuple[str, ...]
    block: tuple[str, ...]
    shared_bytes: str
    arguments: tuple[object, ...]
    formulas: dict[str, str] = field(default_factory=dict)
    facts: dict[str, object] = field(default_factory=dict)

    @property
    def condition(self) -> str | None:
        """The condition on the sizes under which the formulas hold, in Python's syntax."""
        value = self.facts.get("sizes")
        return None if value is None else str(value)

    @property
    def launch_matters(self) -> bool:
        """Whether another launch would give other totals."""
        return bool(self.facts.get("launch_matters", False))


@cache
def cases() -> tuple[Case, ...]:
    """Every case, in the order of launches.toml."""
    launches = tomllib.loads((HERE / "launches.toml").read_text(encoding="utf-8"))
    expected = tomllib.loads((HERE / "expected.toml").read_text(encoding="utf-8"))
    assert launches.keys() == expected.keys()
    return tuple(_case(name, launches[name], expected[name]) for name in launches)


def case(name: str) -> Case:
    """The case with this name. Raises KeyError if there is none."""
    found = {each.name: each for each in cases()}
    return found[name]


def _case(name: str, launch: dict[str, object], expected: dict[str, object]) -> Case:
    formulas: dict[str, str] = {}
    facts: dict[str, object] = {}
    for key, value in expected.items():
        if key in FORMULA_TABLES and isinstance(value, dict):
            formulas.update({f"{key}.{inner}": str(text) for inner, text in value.items()})
        elif _is_formula(key):
            formulas[key] = str(value)
        else:
            facts[key] = value
    grid, block = _strings(launch["grid"]), _strings(launch["block"])
    sizes = launch["params"]
    assert isinstance(sizes, dict)
    return Case(
        name=name,
        file=SAMPLES / str(launch["file"]),
        kernel=str(launch.get("kernel", name)),
        symbol=str(launch["symbol"]) if "symbol" in launch else None,
        launch=f"grid=({_c_text(grid)}) block=({_c_text(block)})",
        sizes={str(size): int(value) for size, value in sizes.items()},
        grid=grid,
        block=block,
        shared_bytes=str(launch.get("shared_bytes", "0")),
        arguments=_nested(launch["args"]),
        formulas=formulas,
        facts=facts,
    )


def _is_formula(key: str) -> bool:
    return key.endswith(
        ("_of_thread", "_bytes", "_total", "_per_thread", "intensity", "_limit")
    ) or key.startswith(("total_", "compiled_total_"))


def _strings(values: object) -> tuple[str, ...]:
    assert isinstance(values, list)
    return tuple(str(value) for value in values)


def _nested(values: object) -> tuple[object, ...]:
    assert isinstance(values, list)
    return tuple(_nested(value) if isinstance(value, list) else str(value) for value in values)


def _c_text(expressions: tuple[str, ...]) -> str:
    return ", ".join(text.replace("//", "/").replace(" ", "") for text in expressions)
