"""Processes that analyse files, and a crew of them: started when needed, used again, killed."""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import threading
from typing import Any

from estimator.scan.work import Message, Ready, Task

# A process starts in well under a second; on a machine that is out of breath it may not.
_START_S = 120.0
# The signal of the timer that a process sets itself (see `estimator.scan.child`).
_OUT_OF_TIME = "SIGPROF"
# So many files, then a fresh process: what libraries never give back is bounded.
_MOST_TASKS = 200


class OverdueError(Exception):
    """No message came in time; the process is killed."""


class CrashedError(Exception):
    """The process ended by itself; `how` says in which way."""

    def __init__(self, how: str) -> None:
        super().__init__(how)
        self.how = how


class ClosedError(Exception):
    """The scan is over: no process is started any more."""


def command() -> list[str]:
    """What starts the process: this interpreter, with the same places for modules."""
    places = [os.path.abspath(place) for place in sys.path]
    code = f"import sys; sys.path[:] = {places!r}\nfrom estimator.scan.child import main\nmain()"
    return [sys.executable, "-c", code]


class Child:
    """One process. Not for several threads at once."""

    def __init__(self) -> None:
        self.tasks = 0
        self._process = subprocess.Popen(
            command(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if os.environ.get("KCOST_DEBUG") else subprocess.DEVNULL,
        )
        self._messages: queue.SimpleQueue[Message | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()
        self._is_ready = False

    def give(self, task: Task) -> None:
        """Hand over a task. Raises CrashedError or OverdueError where the process is not up."""
        if not self._is_ready:
            if not isinstance(self.message(_START_S), Ready):
                raise CrashedError("it said something else than that it is ready")
            self._is_ready = True
        self.tasks += 1
        assert self._process.stdin is not None
        try:
            pickle.dump(task, self._process.stdin)
            self._process.stdin.flush()
        except OSError:
            raise CrashedError(self._ending()) from None

    def message(self, timeout_s: float) -> Message:
        """The next message. Raises OverdueError or CrashedError; then the process is gone."""
        try:
            message = self._messages.get(timeout=timeout_s)
        except queue.Empty:
            self.kill()
            raise OverdueError from None
        if message is None:
            how = self._ending()
            if how == _OUT_OF_TIME:
                raise OverdueError
            raise CrashedError(how)
        return message

    def kill(self) -> None:
        """End the process now, whatever it does."""
        with contextlib.suppress(OSError):
            self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stream:
            while True:
                try:
                    message: Any = pickle.load(stream)
                except Exception:  # the end, or half a message before it
                    self._messages.put(None)
                    return
                self._messages.put(message)

    def _ending(self) -> str:
        try:
            status = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.kill()
            return "it closed its output"
        if status >= 0:
            return f"exit status {status}"
        import signal

        with contextlib.suppress(ValueError):
            return signal.Signals(-status).name
        return f"signal {-status}"


class Crew:
    """Processes that are waiting for work; for several threads.

    A pickled crew arrives empty, so that it can be sent to another machine.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[Child] = []
        self._busy: set[Child] = set()
        self._closed = False

    def __reduce__(self) -> tuple[type[Crew], tuple[()]]:
        return Crew, ()

    def take(self) -> Child:
        """A process to work with. Raises ClosedError."""
        with self._lock:
            if self._closed:
                raise ClosedError
            child = self._idle.pop() if self._idle else Child()
            self._busy.add(child)
            return child

    def give_back(self, child: Child) -> None:
        """Keep a process that finished its task for the next one."""
        with self._lock:
            self._busy.discard(child)
            if child.tasks < _MOST_TASKS and not self._closed:
                self._idle.append(child)
                return
        child.kill()

    def drop(self, child: Child) -> None:
        """End a process that did not finish. Raises ClosedError where `close` ended it."""
        child.kill()
        with self._lock:
            self._busy.discard(child)
            if self._closed:
                raise ClosedError

    def close(self) -> None:
        """End all processes, those at work too."""
        with self._lock:
            self._closed = True
            children = [*self._idle, *self._busy]
            self._idle.clear()
        for child in children:
            child.kill()
