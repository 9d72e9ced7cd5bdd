"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--gpu",
        "gpu_names",
        multiple=True,
        metavar="NAME[,NAME...]",
        help="GPUs to judge the kernels on: names from `kcost gpus`, or profile files.",
    ),
    click.option(
        "-D",
        "--define",
        "defines",
        multiple=True,
        metavar="NAME=VALUE",
        help="A parameter's value: N=4096, N=2**20, N=1e8.",
    ),
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="NAME=VALUE",
        help="The value of an unknown: trips@12=32, p@17=0.25.",
    ),
    click.option(
        "-I", "include_dirs", multiple=True, metavar="DIR", help="A folder to find headers in."
    ),
    click.option(
        "--macro", "macros", multiple=True, metavar="NAME[=VALUE]", help="A preprocessor macro."
    ),
)


def input_options(command: _Command) -> _Command:
    """--gpu, -D, --set, -I and --macro."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
