"""Mutated CUDA files by the thousand: `python tests/fuzz.py --minutes 30`.

Inputs are analysed, and some reported in one of the formats, by a process of its own. A find is any
exception, a crash, an answer that cannot be right (silence, a place outside of the file), more
than 10 s of processor time, or more than 1 GB. Finds are made as small as they get and written to
`--finds`; the exit status is 1 if there is any. The same seed tries the same inputs.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import re
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from fuzzing.minimise import minimise
from fuzzing.mutate import mutate
from fuzzing.seeds import seeds
from fuzzing.worker import Outcome, Worker

_MOST_KEPT = 3000  # inputs that led to something new, as seeds of further ones


def main() -> int:
    """Run for the time asked, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--seed", type=int, default=None, help="default: another one each time")
    parser.add_argument("--finds", type=Path, default=Path("fuzz-finds"))
    parser.add_argument("paths", nargs="*", type=Path, help="only try these files again")
    options = parser.parse_args()
    if options.paths:
        return again(options.paths)
    seed = options.seed if options.seed is not None else random.SystemRandom().getrandbits(32)
    print(f"seed {seed}", flush=True)
    fuzz = Fuzz(random.Random(seed), options.finds)
    fuzz.run(options.minutes * 60)
    return 1 if fuzz.found else 0


def again(paths: list[Path]) -> int:
    """What became of earlier finds."""
    worker, bad = Worker(), 0
    for path in paths:
        outcome = worker.run(path.read_bytes())
        bad += bool(outcome.fault)
        print(f"{path}: {outcome.fault or 'answered'}\n{outcome.details}".rstrip())
    worker.stop()
    return 1 if bad else 0


class Fuzz:
    """One run: its seeds, and what it found so far."""

    def __init__(self, chance: random.Random, finds: Path) -> None:
        self.random = chance
        self.finds = finds
        self.found: dict[str, int] = {}
        self.inputs = 0
        self._worker = Worker()
        self._seeds = seeds()
        self._new: list[str] = []
        self._kinds: set[frozenset[str]] = set()

    def run(self, seconds: float) -> None:
        """Try inputs until the time is over."""
        start = shown = time.monotonic()
        while (now := time.monotonic()) - start < seconds:
            self._try(self._next())
            if now - shown > 60:
                shown = now
                self._say(now - start)
        self._worker.stop()
        self._say(time.monotonic() - start)
        for fault, times in self.found.items():
            print(f"{times:5d} × {fault}")

    def _say(self, seconds: float) -> None:
        print(
            f"{seconds / 60:.1f} min: {self.inputs} inputs, {len(self._kinds)} kinds of answers, "
            f"{len(self.found)} kinds of finds",
            flush=True,
        )

    def _next(self) -> bytes:
        texts = self._new if self._new and self.random.random() < 0.4 else self._seeds
        return mutate(self.random, self.random.choice(texts), self.random.choice(self._seeds))

    def _try(self, data: bytes) -> None:
        self.inputs += 1
        outcome = self._worker.run(data)
        if outcome.fault:
            self._keep_find(data, outcome)
        elif outcome.kinds not in self._kinds:
            self._kinds.add(outcome.kinds)
            if len(self._new) < _MOST_KEPT and len(data) < 10_000:
                self._new.append(data.decode("utf-8", "replace"))

    def _keep_find(self, data: bytes, outcome: Outcome) -> None:
        """Minimise the first find of a kind, and write it down."""
        times = self.found.get(outcome.fault, 0)
        self.found[outcome.fault] = times + 1
        if times >= (3 if outcome.fault in ("hang", "RecursionError", "memory") else 1):
            return
        print(f"found: {outcome.fault}", flush=True)
        self.finds.mkdir(parents=True, exist_ok=True)
        word = re.sub(r"\W+", "-", outcome.fault)[:60].strip("-")
        name = self.finds / f"{word}-{hashlib.sha1(data).hexdigest()[:8]}.cu"
        name.write_bytes(data)
        name.with_suffix(".txt").write_text(outcome.details)
        small = minimise(data, lambda less: self._worker.run(less).fault == outcome.fault)
        name.write_bytes(small)


if __name__ == "__main__":
    sys.exit(main())
