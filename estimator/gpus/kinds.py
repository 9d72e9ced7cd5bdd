"""The closed sets that a GPU profile speaks of: precisions, tensor formats, pipes."""

from __future__ import annotations

from enum import Enum


class Precision(str, Enum):
    """A floating-point format of the vector units (not the tensor cores)."""

    FP32 = "fp32"
    FP64 = "fp64"
    FP16 = "fp16"
    BF16 = "bf16"


class TensorKind(str, Enum):
    """A format of the tensor cores; sums are kept in FP32 (INT32 for INT8) unless said."""

    FP64 = "fp64"
    TF32 = "tf32"
    FP16 = "fp16"
    FP16_ACC16 = "fp16_acc16"
    BF16 = "bf16"
    FP8 = "fp8"
    FP8_ACC16 = "fp8_acc16"
    INT8 = "int8"
    FP4 = "fp4"

    @property
    def rate_key(self) -> str:
        """The profile key of operations (2 for a multiply-add) per clock and SM, dense."""
        operations = "op" if self is TensorKind.INT8 else "flop"
        return f"tensor_{self.value}_{operations}_per_clock_per_sm"

    @property
    def peak_key(self) -> str:
        """The profile key of the printed dense peak, in 10¹² operations per second."""
        return f"tensor_{self.value}_{'tops' if self is TensorKind.INT8 else 'tflops'}"


TENSOR_PREFIX = "tensor_"


def is_tensor(key: str) -> bool:
    """Whether a key of counted work, such as `tensor_fp16`, belongs to the tensor cores."""
    return key.startswith(TENSOR_PREFIX)


def unit_label(key: str) -> str:
    """A key of counted work as people read it: `fp32` → FP32, `tensor_fp16` → tensor FP16."""
    if not is_tensor(key):
        return key.upper()
    kind, _, sums = key.removeprefix(TENSOR_PREFIX).partition("_acc")
    return f"tensor {kind.upper()}" + (f" (FP{sums} sums)" if sums else "")


class Pipe(str, Enum):
    """A unit of the SM that issues results; the value begins its profile key."""

    FP32 = "fp32"
    FP64 = "fp64"
    FP16 = "fp16"
    BF16 = "bf16"
    INT32 = "int32"
    INT32_MULTIPLY = "int32_multiply"
    SPECIAL = "sfu"
    EXP2 = "sfu_exp2"
    LOAD_STORE = "load_store"

    @property
    def key(self) -> str:
        """The profile key: results per clock and SM."""
        return f"{self.value}_lanes_per_sm"
