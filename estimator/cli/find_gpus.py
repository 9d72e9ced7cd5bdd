"""The GPUs that --gpu names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from estimator.cli.errors import UsageProblem

if TYPE_CHECKING:
    from estimator.gpus.profile import GpuProfile


def find_gpus(texts: Iterable[str]) -> tuple[GpuProfile, ...]:
    """The profiles named by the texts, each once; a text may name several between commas.

    Raises UsageProblem with the nearest names for an unknown GPU, and for a broken profile.
    """
    found: dict[str, GpuProfile] = {}
    for name in _names(texts):
        profile = find_one(name)
        found[profile.id] = profile
    return tuple(found.values())


def find_one(name: str) -> GpuProfile:
    """The profile of one GPU. Raises UsageProblem as `find_gpus` does."""
    from estimator.gpus import GpuError, find_gpu

    try:
        return find_gpu(name)
    except GpuError as error:
        raise UsageProblem(error.message, error.help, error.code.id) from None


def _names(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        if os.path.isfile(text):
            yield text
        else:
            yield from (name.strip() for name in text.split(","))
