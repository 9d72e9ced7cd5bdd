"""The error boundary, values and names, from inside."""

from __future__ import annotations

from fractions import Fraction

import pytest

from estimator.cli import main as main_module
from estimator.cli.errors import UsageProblem, nearest
from estimator.cli.main import main
from estimator.cli.values import assignments, macro_definitions, parse_number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4096", 4096),
        ("1_000_000", 10**6),
        ("2**20", 2**20),
        ("2^10", 1024),
        ("1e8", 10**8),
        ("1.5e3", 1500),
        ("-3", -3),
        ("0x10", 16),
        ("0.25", Fraction(1, 4)),
        (".5", Fraction(1, 2)),
        ("1/3", Fraction(1, 3)),
        ("1/0", None),
        ("abc", None),
        ("", None),
        ("1__0", None),
        ("2**1000000", None),
        ("1e99999999", None),
        ("nan", None),
        ("inf", None),
        ("٣", None),
        ("9" * 5000, None),
    ],
)
def test_numbers(text: str, value: int | Fraction | None) -> None:
    assert parse_number(text) == value


def test_assignments() -> None:
    assert assignments(["N=4", " M = 2**3 ", "N=5"], "-D", whole=True) == {"N": 5, "M": 8}
    assert assignments(["p@17=0.25"], "--set", whole=False) == {"p@17": Fraction(1, 4)}
    with pytest.raises(UsageProblem, match="not an integer"):
        assignments(["N=0.5"], "-D", whole=True)
    with pytest.raises(UsageProblem, match="not NAME=VALUE"):
        assignments(["=5"], "-D", whole=True)


def test_macros() -> None:
    assert macro_definitions(["A", "B=", "C=x=y", "F(a,b)=a+b"]) == {
        "A": "1",
        "B": "",
        "C": "x=y",
        "F(a,b)": "a+b",
    }


def test_nearest_names() -> None:
    assert nearest("n", ["N", "M"]) == "; the nearest: N"
    assert nearest("zzz", ["N", "M"]) == "; there are: M, N"
    assert nearest("zzz", []) == ""


def test_an_unexpected_error_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("first line\nsecond line")

    monkeypatch.delenv("KCOST_DEBUG", raising=False)
    monkeypatch.setattr(main_module.kcost, "main", fails)
    assert main([]) == 3
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1
    assert "RuntimeError: first line second line" in shown
    assert "KCOST_DEBUG=1" in shown
    monkeypatch.setenv("KCOST_DEBUG", "1")
    with pytest.raises(RuntimeError):
        main([])


def test_an_interruption_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(main_module.kcost, "main", interrupted)
    assert main([]) == 130


def test_a_package_that_is_not_installed_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ModuleNotFoundError("No module named 'tree_sitter'", name="tree_sitter")

    monkeypatch.delenv("KCOST_DEBUG", raising=False)
    monkeypatch.setattr(main_module.kcost, "main", fails)
    assert main([]) == 3
    shown = capsys.readouterr().err
    assert "package 'tree_sitter' is not installed" in shown
    assert "pip install ." in shown
