"""One line for each kernel and diagnostic, as compilers write them; for editors and hooks."""

from __future__ import annotations

from estimator.algebra.printing import ASCII, HUMAN, Style
from estimator.report.ascii_ import to_ascii
from estimator.report.blocks import diagnostic_text
from estimator.report.document import shortest
from estimator.report.model import Count, KernelReport, Report
from estimator.report.rows import name_of
from estimator.roofline.verdict import Bound, GpuVerdict


def render(report: Report, *, exact: bool = False, unicode: bool = True) -> str:
    """`matmul.cu:3:1: note: matmul: 2N FLOPs/thread, N/6 FLOP/B, ...`; ASCII unless `unicode`."""
    style = HUMAN if unicode else ASCII
    lines: list[str] = []
    for file in report.files:
        lines += [_kernel(kernel, style, exact) for kernel in file.kernels]
        texts = (diagnostic_text(found, file.lost_to(found)) for found in file.diagnostics)
        lines += [" ".join(text.split("\n")) for text in texts]
    return "".join(f"{line if unicode else to_ascii(line)}\n" for line in lines)


def _kernel(kernel: KernelReport, style: Style, exact: bool) -> str:
    facts = [_flops(kernel, style, exact), _intensity(kernel, style, exact)]
    facts += [_verdict(verdict) for verdict in kernel.gpus.values()]
    launch = kernel.launch
    which = f" (launch {launch.number} of {launch.count})" if launch.count > 1 else ""
    return f"{kernel.position}: note: {kernel.name}{which}: {', '.join(facts)}"


def _flops(kernel: KernelReport, style: Style, exact: bool) -> str:
    counts = {name: c for name, c in kernel.per_thread.flops.items() if not c.is_zero}
    on_average = "" if kernel.uniform else " on average"
    if not counts:
        return "0 FLOPs/thread"
    units = ["FLOPs"] if list(counts) == ["fp32"] else [_unit(name) for name in counts]
    numbers = [_formula(count, style, exact) for count in counts.values()]
    parts = [f"{number} {unit}" for number, unit in zip(numbers, units, strict=True)]
    if len(parts) == 1 and parts[0].startswith("1 "):
        parts = [parts[0].removesuffix("s")]
    elif all(part.endswith(" FLOPs") for part in parts):
        parts = [*(part.removesuffix(" FLOPs") for part in parts[:-1]), parts[-1]]
    return f"{' and '.join(parts)}/thread{on_average}"


def _unit(precision: str) -> str:
    """`FP64 FLOPs`, `tensor FP16 FLOPs`, `tensor INT8 operations`."""
    return name_of(f"flops.{precision}")


def _intensity(kernel: KernelReport, style: Style, exact: bool) -> str:
    count = kernel.intensities.compulsory
    return "no global bytes" if count is None else f"{_formula(count, style, exact)} FLOP/B"


def _formula(count: Count, style: Style, exact: bool) -> str:
    text = shortest(count.exact if exact else count.formula, style)
    return f"({text})" if " " in text and not text.startswith("(") and "/" not in text else text


def _verdict(verdict: GpuVerdict) -> str:
    text = verdict.compulsory.text
    if verdict.compulsory.bound is Bound.DEPENDS:
        return f"on {verdict.name} the limit {text}"
    return f"{text} on {verdict.name}"
