"""GPU profiles: what kcost knows of each GPU, where it is from, and the roofs that follow."""

from __future__ import annotations

from estimator.gpus.agreement import Agreement, agreements
from estimator.gpus.errors import GpuError
from estimator.gpus.kinds import Pipe, Precision, TensorKind
from estimator.gpus.load import find_gpu, load_profile, load_shipped, shipped_ids
from estimator.gpus.profile import GpuProfile

__all__ = [
    "Agreement",
    "GpuError",
    "GpuProfile",
    "Pipe",
    "Precision",
    "TensorKind",
    "agreements",
    "find_gpu",
    "load_profile",
    "load_shipped",
    "shipped_ids",
]
