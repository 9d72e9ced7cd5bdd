"""Running the threads of a block: one after another, up to where they have to meet."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field

from oracle.errors import OracleError
from oracle.memory import Block, Memory, Space
from oracle.thread import Thread


@dataclass(frozen=True, slots=True)
class Meeting:
    """Why a thread waits.

    `kind`: `barrier` for the whole block, anything else for its warp. `value` is what the
    thread brings along; `lane` and `width` say what a shuffle asks for.
    """

    kind: str
    value: object = None
    lane: int = 0
    width: int = 32


Running = Generator[Meeting, object, None]


@dataclass
class BlockState:
    """What the threads of a block share."""

    memory: Memory
    extents: tuple[int, int, int]
    dynamic_bytes: int
    steps_left: list[int]
    addresses: dict[str, int] = field(default_factory=dict)

    def shared(self, key: str, size: int) -> int:
        """The address of a shared variable; size 0 stands for the dynamic part."""
        name = key if size else "dynamic shared memory"
        if name not in self.addresses:
            data = bytearray(size or self.dynamic_bytes)
            self.addresses[name] = self.memory.add(Block(name, Space.SHARED, data))
        return self.addresses[name]


def run_block(threads: list[tuple[Thread, Running]]) -> None:
    """Runs all threads of one block to their ends. Raises OracleError."""
    waiting: dict[int, Meeting] = {}
    answers: dict[int, object] = {}
    running = {thread.flat: run for thread, run in threads}
    warps = {thread.flat: thread.warp for thread, _ in threads}
    while running:
        for flat in [flat for flat in running if flat not in waiting]:
            try:
                waiting[flat] = running[flat].send(answers.pop(flat, None))
            except StopIteration:
                del running[flat]
        for warp in {warps[flat] for flat in waiting}:
            _meet_in_warp({flat: m for flat, m in waiting.items() if warps[flat] == warp}, answers)
        if not answers:
            _meet_in_block(waiting, answers)
        for flat in answers:
            del waiting[flat]
        if running and waiting and not answers:
            raise OracleError("threads wait for each other")


def _meet_in_block(waiting: dict[int, Meeting], answers: dict[int, object]) -> None:
    """Lets go of the barrier, where everybody left waits at it."""
    values = [meeting.value for meeting in waiting.values()]
    for flat, meeting in waiting.items():
        match meeting.kind:
            case "barrier_count":
                answers[flat] = sum(1 for value in values if value)
            case "barrier_and":
                answers[flat] = int(all(values))
            case "barrier_or":
                answers[flat] = int(any(values))
            case _:
                answers[flat] = 0


def _meet_in_warp(waiting: dict[int, Meeting], answers: dict[int, object]) -> None:
    """Exchanges what lanes offer each other; every lane left in the warp waits somewhere."""
    lanes = {
        flat % 32: (flat, m) for flat, m in waiting.items() if not m.kind.startswith("barrier")
    }
    true = [lane for lane, (_, meeting) in lanes.items() if meeting.value]
    for lane, (flat, meeting) in lanes.items():
        match meeting.kind:
            case "ballot":
                answers[flat] = sum(1 << other for other in true)
            case "any":
                answers[flat] = int(bool(true))
            case "all":
                answers[flat] = int(len(true) == len(lanes))
            case "active":
                answers[flat] = sum(1 << other for other in lanes)
            case "warp":
                answers[flat] = 0
            case _:
                source = _source_lane(meeting, lane)
                answers[flat] = lanes[source][1].value if source in lanes else meeting.value


def _source_lane(meeting: Meeting, lane: int) -> int:
    """Whose value a shuffle gives (CUDA C++ Programming Guide, "Warp Shuffle Functions")."""
    first = lane - lane % meeting.width
    last = first + meeting.width - 1
    match meeting.kind:
        case "shfl":
            return first + meeting.lane % meeting.width
        case "shfl_up":
            return lane - meeting.lane if lane - meeting.lane >= first else lane
        case "shfl_down":
            return lane + meeting.lane if lane + meeting.lane <= last else lane
        case "shfl_xor":
            return lane ^ meeting.lane if lane ^ meeting.lane <= last else lane
    raise OracleError(f"unknown meeting {meeting.kind}")
