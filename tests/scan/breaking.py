"""The process that analyses, made to fail: what it does wrong stands in the kernels' names.

Run by tests in place of `estimator.scan.child`.
"""

from __future__ import annotations

import ctypes
import os
import time
from typing import Any

from estimator.reading import ReadFile
from estimator.scan import file
from estimator.scan.child import main

_analyze = ReadFile.analyze
_load = file.load


def analyze(self: ReadFile, kernel: Any) -> Any:
    if "hangs_in_isl" in kernel.name:
        count_for_ages()
    elif "hangs" in kernel.name:
        ctypes.PyDLL(None).sleep(1000)  # native code that keeps the interpreter's lock
    elif "crashes" in kernel.name:
        os.abort()
    elif "leaves" in kernel.name:
        os._exit(7)
    elif "raises" in kernel.name:
        raise ValueError("never seen")
    elif "eats_memory" in kernel.name:
        bytearray(64 * 2**30)
    elif "slow" in kernel.name:
        time.sleep(4)
    elif "busy" in kernel.name:
        until = time.process_time() + 0.8
        while time.process_time() < until:
            pass
    return _analyze(self, kernel)


def load(source: Any, options: Any) -> Any:
    if "reading hangs" in source.text:
        ctypes.PyDLL(None).sleep(1000)
    elif "reading crashes" in source.text:
        os.abort()
    return _load(source, options)


def count_for_ages() -> None:
    """Points of a polytope with nine dimensions and two parameters: barvinok takes hours."""
    import random

    import islpy

    numbers = random.Random(1)
    names = [f"x{index}" for index in range(9)]
    bounds = [f"{name} >= 0" for name in names]
    for index in range(14):
        terms = " + ".join(f"{numbers.randint(1, 97)}{name}" for name in names)
        bounds.append(f"{terms} <= {numbers.randint(50, 99)}N + {index}M")
    islpy.Set(f"[N, M] -> {{ [{', '.join(names)}] : {' and '.join(bounds)} }}").card()


ReadFile.analyze = analyze  # type: ignore[method-assign]
file.load = load

if __name__ == "__main__":
    main()
