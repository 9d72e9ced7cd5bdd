"""The process that analyses: tasks come in on its standard input, messages go out on its output.

It is a process of its own so that it can be killed: a call into isl that does not come back
cannot be interrupted in any other way, and one that crashes takes only this process along.
"""

from __future__ import annotations

import contextlib
import math
import os
import pickle
import signal
import sys
from typing import BinaryIO

from estimator.collecting import collect_rarely
from estimator.scan.work import PATIENCE, End, Message, Ready, Task, reading_budget_s

# So long after its parent's patience is over a process ends itself.
_GRACE_S = 10
_MOST_MEMORY_BYTES = 4 * 2**30


def main() -> None:
    """Work until standard input ends."""
    with contextlib.suppress(ValueError, OSError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    _limit_memory()
    collect_rarely()
    tasks, messages = _streams()
    _load()
    with contextlib.suppress(EOFError, BrokenPipeError):
        _send(messages, Ready())
        while True:
            _serve(pickle.load(tasks), messages)


def _serve(task: Task, messages: BinaryIO) -> None:
    from estimator.lower.kernel import deep_recursion
    from estimator.scan.file import work

    with contextlib.suppress(OSError):
        os.chdir(task.root)
    _limit_time(reading_budget_s(task))
    with deep_recursion():
        for message in work(task):
            _limit_time(task.budget_s)
            _send(messages, message)
    _limit_time(0)
    _send(messages, End())


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """The two streams, out of the way of whatever a library prints."""
    messages = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
    return sys.stdin.buffer, messages


def _send(messages: BinaryIO, message: Message) -> None:
    pickle.dump(message, messages)
    messages.flush()


def _load() -> None:
    """What every task needs, so that the first one's time is its own."""
    import estimator.launching
    import estimator.memory.images
    import estimator.scan.file
    import estimator.simplify.simplify
    import estimator.source.expander  # noqa: F401


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # no POSIX
        return
    with contextlib.suppress(ValueError, OSError):
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_MEMORY_BYTES, hard))


def _limit_time(budget_s: float) -> None:
    """End this process after so much processor time, whatever it is in; 0 for never.

    Should nobody be left to kill it while it waits for something, it ends itself later.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, budget_s)
        signal.alarm(math.ceil(budget_s * PATIENCE + _GRACE_S) if budget_s else 0)
