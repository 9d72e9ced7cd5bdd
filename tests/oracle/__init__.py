"""An independent oracle: runs a kernel thread by thread and counts what it does.

It reads what `estimator.parse` gives and shares nothing with the rooms that compute formulas.
"""

from oracle.counts import ArrayCounts, OracleCounts, ThreadIndex
from oracle.errors import OracleError
from oracle.run import run_kernel

__all__ = ["ArrayCounts", "OracleCounts", "OracleError", "ThreadIndex", "run_kernel"]
