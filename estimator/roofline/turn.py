"""From which size on the other limit binds: a search by doubling and bisection."""

from __future__ import annotations

from collections.abc import Callable

# Whether the kernel is compute-bound at a size; None where nothing runs.
State = Callable[[int], bool | None]

# Roundings make intensities jagged; so many sizes after a turn must agree with it.
_WINDOW = 64


def last_turn(
    state: State, doublings: int, *, turns_once: bool = False
) -> tuple[bool | None, int | None]:
    """What holds for large sizes, and from which size on; no size if it always holds.

    Sizes 1, 2, 4, ... 2**doublings are looked at, so a formula whose state changes twice
    between two of them is taken for one that does not. With `turns_once` it is known that
    the state changes no more than once.
    """
    sizes = [2**exponent for exponent in range(doublings + 1)]
    states = [state(size) for size in sizes]
    final = states[-1]
    if final is None:
        return None, None
    before = [index for index, value in enumerate(states) if value is (not final)]
    if not before:
        return final, None
    low, high = sizes[before[-1]], sizes[before[-1] + 1]
    while high - low > 1:
        middle = (low + high) // 2
        if state(middle) is (not final):
            low = middle
        else:
            high = middle
    return final, high if turns_once else _settled(state, final, high)


def _settled(state: State, final: bool, start: int) -> int:
    """The first size from `start` on after which a whole window agrees with `final`."""
    turn, size = start, start
    while size < turn + _WINDOW:
        if state(size) is (not final):
            turn = size + 1
        size += 1
    return turn
