"""One file's rows, whatever happens: a kernel that hangs or crashes is left out, and said so."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from estimator.scan.process import Child, CrashedError, Crew, OverdueError
from estimator.scan.rows import (
    Basis,
    FileRows,
    Found,
    KernelRow,
    LostKernel,
    Place,
)
from estimator.scan.work import PATIENCE, Done, End, KernelName, Read, Task, reading_budget_s
from estimator.source.codes import CRASHED, OVER_BUDGET
from estimator.source.diagnostics import Code

# A process that cannot be started, or dies before it has read the file, gets another try.
_ATTEMPTS = 2


@dataclass(slots=True)
class _Gathered:
    """What is known of the file so far; `waiting` are the kernels still to come."""

    done: set[str] = field(default_factory=set)
    waiting: list[KernelName] = field(default_factory=list)
    is_read: bool = False
    rows: list[KernelRow] = field(default_factory=list)
    lost: dict[LostKernel, None] = field(default_factory=dict)
    diagnostics: dict[Found, None] = field(default_factory=dict)
    basis: Basis = field(default_factory=Basis)

    def add(self, message: Read | Done) -> None:
        self.lost.update(dict.fromkeys(message.lost))
        self.diagnostics.update(dict.fromkeys(message.diagnostics))
        match message:
            case Read(kernels, _, _, basis):
                self.waiting = [kernel for kernel in kernels if kernel.symbol not in self.done]
                if self.is_read and basis != self.basis:  # a header changed in between
                    basis = replace(basis, complete=False)
                self.basis = basis
                self.is_read = True
            case Done(symbol, rows):
                self.done.add(symbol)
                self.rows.extend(rows)
                self.waiting = [kernel for kernel in self.waiting if kernel.symbol != symbol]

    def give_up(self, code: Code, what: str) -> None:
        """Go on without the kernel that is being worked on."""
        kernel = self.waiting.pop(0)
        reason = Found(code.id, kernel.place, f"{kernel.name}: {what}", code.help)
        self.add(
            Done(
                kernel.symbol,
                (),
                (LostKernel(kernel.name, kernel.symbol, kernel.place, reason),),
                (),
            )
        )


def rows_of(task: Task, crew: Crew) -> FileRows:
    """The rows of a file. Raises ClosedError where the crew is closed meanwhile."""
    gathered = _Gathered()
    attempts = 0
    while True:
        child = crew.take()
        try:
            _converse(child, replace(task, skip=frozenset(gathered.done)), gathered)
        except (OverdueError, CrashedError) as stopped:
            crew.drop(child)
            code, what = _reason(stopped, task)
            if code is CRASHED:
                gathered.basis = replace(gathered.basis, complete=False)
            if gathered.waiting:
                gathered.give_up(code, what)
            elif gathered.is_read:  # it died behind the last kernel
                break
            else:
                attempts += 1
                if code is OVER_BUDGET or attempts == _ATTEMPTS:
                    return _unread(task, code, what)
        else:
            crew.give_back(child)
            break
    return FileRows(
        task.source.path,
        tuple(gathered.rows),
        tuple(gathered.lost),
        tuple(gathered.diagnostics),
        gathered.basis,
    )


def _converse(child: Child, task: Task, gathered: _Gathered) -> None:
    child.give(task)
    timeout_s = reading_budget_s(task) * PATIENCE
    while True:
        message = child.message(timeout_s)
        timeout_s = task.budget_s * PATIENCE
        match message:
            case End():
                return
            case Read() | Done():
                gathered.add(message)


def _reason(stopped: OverdueError | CrashedError, task: Task) -> tuple[Code, str]:
    if isinstance(stopped, CrashedError):
        return CRASHED, f"the process that analysed it ended ({stopped.how})"
    return OVER_BUDGET, f"not analysed within {task.budget_s:g} s"


def _unread(task: Task, code: Code, what: str) -> FileRows:
    path = task.source.path
    message = what if code is CRASHED else f"not read within {reading_budget_s(task):.0f} s"
    found = Found(code.id, Place(path, 1, 1), f"{path}: {message}", code.help)
    return FileRows(path, diagnostics=(found,), basis=Basis(complete=False))
