"""Inputs that are too much of something: `python tests/robustness.py [WORD...]`.

Prints for each the answer, the processor time and the peak memory of a process that analyses
it. All must be answered within 30 s and 1 GB; the exit status is 1 if one is not. Words choose
the inputs whose name has one of them.
"""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from limits import deep, long, wide
from limits.case import Case
from limits.measure import Answer, measured

CASES = (*long.CASES, *deep.CASES, *wide.CASES)
MOST_SECONDS = 30
MOST_MEGABYTES = 1024


def main() -> int:
    """Measure everything asked for, and print a table."""
    words = sys.argv[1:]
    chosen = [case for case in CASES if not words or any(word in case.name for word in words)]
    jobs = max(1, (os.cpu_count() or 1) // 2)
    with ThreadPoolExecutor(jobs) as pool:
        answers = pool.map(lambda case: measured(case, case.size), chosen)
        bad = sum([_show(case, answer) for case, answer in zip(chosen, answers, strict=True)])
    print(f"{len(chosen)} inputs, {bad} over the limits")
    return 1 if bad else 0


def _show(case: Case, answer: Answer) -> bool:
    """Print a line; True if the answer is over a limit."""
    over = answer.seconds > MOST_SECONDS or answer.megabytes > MOST_MEGABYTES
    said = f"{answer.kernels} analysed {' '.join(answer.codes)}"
    wrong = answer.failure or ("OVER" if over else "")
    print(
        f"{case.name:36s} {answer.seconds:7.1f} s {answer.megabytes:6d} MB  {said:24s} {wrong}",
        flush=True,
    )
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
