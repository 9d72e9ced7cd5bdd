"""How often kcost's own processes look for garbage in cycles.

An analysis makes many small objects and hardly a cycle: at Python's pace, every 700 objects,
the search takes a tenth of the time.
"""

from __future__ import annotations

import gc

_NEW_OBJECTS = 50_000


def collect_rarely() -> None:
    """Set the collector of this process; only for processes that are kcost's own."""
    gc.set_threshold(_NEW_OBJECTS, 20, 20)
