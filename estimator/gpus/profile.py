"""What kcost knows of one GPU, and the roofs that follow from it.

The roofs are those of Williams, Waterman, Patterson, "Roofline: an insightful visual performance
model for multicore architectures" (CACM 2009): a peak in FLOP/s, a bandwidth in bytes/s, and
the ridge point between them in FLOP/byte.
"""

from __future__ import annotations

from collections.abc import Mapping

from estimator.gpus.errors import BAD_PROFILE, GpuError
from estimator.gpus.kinds import TENSOR_PREFIX, Pipe, Precision, TensorKind, is_tensor
from estimator.gpus.parts import Caches, DeviceMemory, Limits, Links, Measured, SharedMemory
from estimator.immutable import immutable

# A fused multiply-add counts as two operations, as in every vendor's figures.
FLOPS_PER_FMA = 2

Figure = str | bool | int | float | tuple[str, ...] | tuple[int, ...]


@immutable()
class GpuProfile:
    """One GPU. Every shipped profile has all of these; a user profile may lack what is None.

    `figures` holds the file's values by key, in the units of the keys; `unconfirmed` names the
    keys whose value no source confirms; `sources` and `reasons` are texts by key or group.
    """

    id: str
    name: str
    short_name: str
    aliases: tuple[str, ...]
    chip: str | None
    compute_capability: tuple[int, int] | None
    sm_count: int | None
    clock_hz: float | None
    tensor_clock_hz: float | None
    lanes_per_sm: Mapping[Pipe, int]
    warp_issues_per_clock_per_sm: int | None
    tensor_cores_per_sm: int | None
    int32_shares_fp32_lanes: bool | None
    tensor_ops_per_clock_per_sm: Mapping[TensorKind, float]
    printed_peaks_flops_per_s: Mapping[Precision, float]
    printed_tensor_peaks_flops_per_s: Mapping[TensorKind, float]
    memory: DeviceMemory
    caches: Caches
    shared: SharedMemory
    limits: Limits
    links: Links
    measured: Measured
    figures: Mapping[str, Figure]
    unconfirmed: frozenset[str]
    reasons: Mapping[str, str]
    sources: Mapping[str, str]

    def has_peak(self, precision: Precision | str) -> bool:
        """Whether `peak_flops_per_s(precision)` has an answer."""
        return self._peak(Precision(precision)) is not None

    def peak_flops_per_s(self, precision: Precision | str = Precision.FP32) -> float:
        """FLOP/s of the vector units: lanes × SMs × clock × 2, or else the printed figure.

        Raises GpuError (K502) when the profile gives neither, ValueError for another precision.
        """
        precision = Precision(precision)
        peak = self._peak(precision)
        if peak is None:
            raise self._lacks(f"{precision.name} peak", f"{precision.value}_tflops")
        return peak

    def computed_peak_flops_per_s(self, precision: Precision | str) -> float | None:
        """Lanes × SMs × boost clock × 2 in FLOP/s, None where one of them is not given."""
        rate = self.results_per_s(Pipe(Precision(precision).value))
        return None if rate is None else rate * FLOPS_PER_FMA

    def has_tensor_peak(self, kind: TensorKind | str) -> bool:
        """Whether `tensor_peak_flops_per_s(kind)` has an answer."""
        return self._tensor_peak(TensorKind(kind)) is not None

    def tensor_peak_flops_per_s(self, kind: TensorKind | str) -> float:
        """Dense FLOP/s (operations/s for INT8) of the tensor cores.

        The printed figure where there is one, else rate × SMs × tensor clock.
        Raises GpuError (K502) when the profile gives neither, ValueError for another kind.
        """
        kind = TensorKind(kind)
        peak = self._tensor_peak(kind)
        if peak is None:
            raise self._lacks(f"{kind.name} tensor peak", kind.peak_key)
        return peak

    def work_peak_flops_per_s(self, key: str) -> float | None:
        """The peak for a key of counted work (`fp32`, `tensor_fp16`), None where none is given.

        Sums in FP16 take the rate of sums in FP32 where a profile does not tell them apart.
        """
        if not is_tensor(key):
            return self._peak(Precision(key))
        name = key.removeprefix(TENSOR_PREFIX)
        kinds = [name, name.partition("_acc")[0]]
        known = {kind.value for kind in TensorKind}
        peaks = (self._tensor_peak(TensorKind(kind)) for kind in kinds if kind in known)
        return next((peak for peak in peaks if peak is not None), None)

    def computed_tensor_peak_flops_per_s(self, kind: TensorKind | str) -> float | None:
        """Rate × SMs × clock in FLOP/s, None where one is not given.

        FP64 tensor operations run at the boost clock, the others at the tensor boost clock.
        """
        kind = TensorKind(kind)
        rate = self.tensor_ops_per_clock_per_sm.get(kind)
        clock_hz = self.clock_hz if kind is TensorKind.FP64 else self.tensor_clock_hz
        if rate is None or clock_hz is None or self.sm_count is None:
            return None
        return rate * self.sm_count * clock_hz

    @property
    def bandwidth_bytes_per_s(self) -> float:
        """Bytes/s of the device memory: the printed figure, else bus width × data rate / 8."""
        printed = self.memory.printed_bandwidth_bytes_per_s
        bandwidth = self.computed_bandwidth_bytes_per_s if printed is None else printed
        if bandwidth is None:
            raise self._lacks("bandwidth", "bandwidth_gb_s")
        return bandwidth

    @property
    def computed_bandwidth_bytes_per_s(self) -> float | None:
        """Bus width × data rate / 8 in bytes/s, None where one of them is not given."""
        width, rate = self.memory.bus_width_bits, self.memory.data_rate_bits_per_s_per_pin
        return None if width is None or rate is None else width * rate / 8

    def ridge_flop_per_byte(self, precision: Precision | str = Precision.FP32) -> float:
        """The intensity in FLOP/byte from which on the peak binds, not the bandwidth.

        Raises GpuError as `peak_flops_per_s` does.
        """
        return self.peak_flops_per_s(precision) / self.bandwidth_bytes_per_s

    def tensor_ridge_flop_per_byte(self, kind: TensorKind | str) -> float:
        """The same for a tensor roof. Raises GpuError as `tensor_peak_flops_per_s` does."""
        return self.tensor_peak_flops_per_s(kind) / self.bandwidth_bytes_per_s

    def results_per_s(self, pipe: Pipe) -> float | None:
        """Lanes × SMs × boost clock: results/s of a pipe, None where one is not given."""
        lanes = self.lanes_per_sm.get(pipe)
        if lanes is None or self.sm_count is None or self.clock_hz is None:
            return None
        return lanes * self.sm_count * self.clock_hz

    @property
    def special_functions_per_s(self) -> float | None:
        """Special-function results (rcp, rsqrt, log2, exp2, sin, cos) per second."""
        return self.results_per_s(Pipe.SPECIAL)

    @property
    def warp_instructions_per_s(self) -> float | None:
        """Warp instructions that all SMs can issue per second."""
        return self._per_s(self.warp_issues_per_clock_per_sm)

    @property
    def shared_bandwidth_bytes_per_s(self) -> float | None:
        """Bytes/s of the shared memories of all SMs together, without bank conflicts."""
        return self._per_s(self.shared.bytes_per_clock_per_sm)

    def is_unconfirmed(self, key: str) -> bool:
        """Whether the figure under `key` was not found in a source."""
        return key in self.unconfirmed

    def _per_s(self, per_clock_per_sm: int | None) -> float | None:
        if per_clock_per_sm is None or self.sm_count is None or self.clock_hz is None:
            return None
        return per_clock_per_sm * self.sm_count * self.clock_hz

    def _peak(self, precision: Precision) -> float | None:
        computed = self.computed_peak_flops_per_s(precision)
        return self.printed_peaks_flops_per_s.get(precision) if computed is None else computed

    def _tensor_peak(self, kind: TensorKind) -> float | None:
        printed = self.printed_tensor_peaks_flops_per_s.get(kind)
        return self.computed_tensor_peak_flops_per_s(kind) if printed is None else printed

    def _lacks(self, what: str, key: str) -> GpuError:
        message = f"the profile of {self.short_name} gives no {what}"
        help = f"Add {key} to a profile of your own; docs/gpus.md lists the keys."
        return GpuError(message, help, BAD_PROFILE)
