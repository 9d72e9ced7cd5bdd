"""The process that analyses, and its limits: it may hang, run out of memory or crash."""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import resource
import signal
import tempfile
import traceback
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

TIME_LIMIT_S = 10.0  # of processor time for one input: the machine may be busy
MEMORY_LIMIT_BYTES = 1 << 30
_WALL_LIMIT_S = 180.0
_INPUTS_PER_PROCESS = 2000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an input led to. `fault`: the kind of find, empty if all is well, and its details."""

    kinds: frozenset[str] = frozenset()
    fault: str = ""
    details: str = ""


class Worker:
    """Analyses inputs one after another, in a process that is started anew after each fault."""

    def __init__(self, time_limit_s: float = TIME_LIMIT_S) -> None:
        self._time_limit_s = time_limit_s
        self._folder = tempfile.TemporaryDirectory(prefix="kcost-fuzz-")
        self._context = multiprocessing.get_context("spawn")
        self._process: multiprocessing.process.BaseProcess | None = None
        self._inputs = 0

    def run(self, data: bytes) -> Outcome:
        """Analyse a file of these bytes."""
        if self._inputs >= _INPUTS_PER_PROCESS:
            self.stop()
        if self._process is None:
            self._start()
        assert self._process is not None
        self._inputs += 1
        try:
            self._pipe.send(data)
            if self._pipe.poll(_WALL_LIMIT_S):
                outcome: Outcome = self._pipe.recv()
                if outcome.fault:
                    self.stop()
                return outcome
        except (EOFError, OSError):
            self._process.join(5)
            return self._death()
        self.stop()
        return Outcome(fault="hang", details=f"no answer in {_WALL_LIMIT_S} s")

    def stop(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None

    def _start(self) -> None:
        self._pipe, theirs = self._context.Pipe()
        stack = Path(self._folder.name) / "stack"
        self._process = self._context.Process(
            target=_serve, args=(theirs, self._folder.name, self._time_limit_s), daemon=True
        )
        stack.write_text("")
        self._process.start()
        theirs.close()
        self._inputs = 0

    def _death(self) -> Outcome:
        """What a process that is no more died of."""
        assert self._process is not None
        code = self._process.exitcode
        self._process = None
        stack = (Path(self._folder.name) / "stack").read_text()
        if code == -signal.SIGPROF:
            return Outcome(fault="hang", details=stack)
        return Outcome(fault=f"death by signal {-(code or 0)}", details=stack)


def _serve(pipe: Connection, folder: str, time_limit_s: float) -> None:
    """Answer inputs until the pipe closes."""
    os.environ["KCOST_DEBUG"] = "1"
    os.environ["COLUMNS"] = "100"
    file = Path(folder) / "k.cu"
    with (Path(folder) / "stack").open("w") as stack:
        # Where it hung or crashed; then the signal's own action, which ends the process.
        faulthandler.enable(stack)
        faulthandler.register(signal.SIGPROF, stack, chain=True)
        from fuzzing.answer import answer

        while True:
            data = pipe.recv()
            file.write_bytes(data)
            signal.setitimer(signal.ITIMER_PROF, time_limit_s)
            before = _limit_memory()
            try:
                outcome = Outcome(answer(file))
                if _peak_bytes() > max(before, MEMORY_LIMIT_BYTES):
                    outcome = Outcome(fault="memory", details=f"{_peak_bytes() >> 20} MB")
            except BaseException as error:
                outcome = Outcome(fault=_name(error), details=traceback.format_exc(limit=-40))
            signal.setitimer(signal.ITIMER_PROF, 0)
            pipe.send(outcome)


def _limit_memory() -> int:
    """Let memory end at the limit; gives the peak so far."""
    limit = 2 * MEMORY_LIMIT_BYTES
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    return _peak_bytes()


def _peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _name(error: BaseException) -> str:
    """The exception and where it was raised: one find for each such pair."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [f for f in frames if "estimator" in f.filename or "grammars" in f.filename]
    if isinstance(error, RecursionError):
        return "RecursionError"
    if not inside:
        return f"{type(error).__name__}: {error}"
    place = inside[-1]
    return f"{type(error).__name__} in {Path(place.filename).name}:{place.name}:{place.lineno}"
