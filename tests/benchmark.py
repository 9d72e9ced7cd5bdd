"""How fast kcost is: `python tests/benchmark.py`.

Prints whole-process times against importing sympy, what starting up loads, the time of the
analysis alone for every kernel of the samples, reading by 1,000 lines, a scan of the samples and
of a generated corpus from nothing and with results kept, how analysis grows with a kernel's
length, and peak memory. A report to read, not a test: nothing fails for being slow.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from estimator.collecting import collect_rarely

SAMPLES = Path(__file__).parent.parent / "samples"
RUNS = 9
PASSES = 5
CORPUS_FILES = 120


def main() -> None:
    """Run everything and print it."""
    argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0]).parse_args()
    collect_rarely()  # as the command does
    whole_process()
    start_up()
    analysis_alone()
    reading()
    scans()
    growth()


def seconds_of(command: list[str]) -> float:
    """Wall time of one run of a command, its output thrown away."""
    start = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def whole_process() -> None:
    """The main job against the import of sympy, turn and turn about."""
    matmul = str(SAMPLES / "matmul.cu")
    ours = [sys.executable, "-m", "estimator", "analyze", matmul, "--gpu", "l40s"]
    theirs = [sys.executable, "-c", "import sympy"]
    pairs = [(seconds_of(ours), seconds_of(theirs)) for _ in range(RUNS)]
    mine, sympy = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(f"kcost analyze matmul.cu --gpu l40s   {mine * 1e3:7.0f} ms, median of {RUNS}")
    print(f"python -c 'import sympy'             {sympy * 1e3:7.0f} ms")
    print(f"ratio                                {mine / sympy:7.2f}   (aim: at most 1.5)")
    usage = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"peak memory of a child process       {usage / 1024:7.0f} MB  (aim: below 200)")


def start_up() -> None:
    """Which of the heavy libraries `--version` and `--help` load."""
    heavy = ("sympy", "islpy", "networkx", "rich", "pcpp", "tree_sitter", "pycparser")
    for option in ("--version", "--help"):
        code = (
            "import sys\nfrom estimator.cli.main import main\n"
            f"sys.argv = ['kcost', {option!r}]\n"
            "try:\n    main()\nexcept SystemExit:\n    pass\n"
            f"print('loads:', [m for m in {heavy} if m in sys.modules], file=sys.stderr)"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        took = seconds_of([sys.executable, "-m", "estimator", option])
        print(f"kcost {option:10s} {took * 1e3:7.0f} ms   {done.stderr.strip()}")


def analysis_alone() -> None:
    """Analysis of every kernel of the samples, the file read along with it, and without that."""
    from estimator.analysis import analyze
    from estimator.options import Options
    from estimator.reading import load
    from estimator.source.read import read_source

    files = sorted(SAMPLES.glob("*.cu"))
    kernels = {file: len(analyze([str(file)]).kernels) for file in files}
    whole = best_of(files, lambda file: analyze([str(file)]))
    read = best_of(files, lambda file: load(read_source(str(file)), Options()))
    count = sum(kernels.values())
    print(f"\nanalysis of {count} kernels, by kernel, CPU time, best of {PASSES}")
    for what, aim, seconds in (
        ("with reading the file", "", whole),
        ("alone", "   (aim: at most 15, and 150)", {f: whole[f] - read[f] for f in files}),
    ):
        by_kernel = {f: seconds[f] / kernels[f] * 1e3 for f in files if kernels[f]}
        median = statistics.median(t for f, t in by_kernel.items() for _ in range(kernels[f]))
        slowest = max(by_kernel, key=lambda f: by_kernel[f])
        most = f"most {by_kernel[slowest]:5.1f} ms, {slowest.name}"
        print(f"{what:22s} median {median:5.1f} ms, {most}{aim}")


def best_of(files: list[Path], done: Callable[[Path], object]) -> dict[Path, float]:
    """CPU seconds of something done with each file: the best of several passes over all files.

    Other work on the machine comes and goes: passes that lie apart meet it less often than
    repetitions in a row.
    """
    best = dict.fromkeys(files, float("inf"))
    for _ in range(PASSES):
        for file in files:
            start = time.process_time()
            done(file)
            best[file] = min(best[file], time.process_time() - start)
    return best


def reading() -> None:
    """Preprocessing, simplifying and parsing, by 1,000 lines of source."""
    from estimator.options import Options
    from estimator.reading import load
    from estimator.source.read import read_source

    sources = [read_source(str(path)) for path in sorted(SAMPLES.glob("*.cu"))]
    lines = sum(source.text.count("\n") for source in sources)
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter()
        for source in sources:
            load(source, Options())
        best = min(best, time.perf_counter() - start)
    print(f"\nparse and simplify {best / lines * 1e6:6.0f} ms by 1,000 lines ({lines} lines)")


def scans() -> None:
    """`kcost scan` of the samples and of the generated corpus."""
    with tempfile.TemporaryDirectory() as folder:
        writer = Path(__file__).parent / "corpus" / "write.py"
        command = [sys.executable, str(writer), folder, "--count", str(CORPUS_FILES)]
        subprocess.run(command, check=True)
        samples = scan_of("the samples", SAMPLES)
        corpus = scan_of("a generated corpus", Path(folder))
    both = Scan(*(a + b for a, b in zip(samples, corpus, strict=True)))
    print("\nkcost scan of both")
    print(f"analysis     {both.kernels / both.analysis_s:7.0f} kernels per second")
    print(f"second run   {both.warm_s:7.2f} s, {both.cold_s / both.warm_s:.0f} times faster")


class Scan(NamedTuple):
    """How many kernels a scan has, and how long they take: analysed, and with all that starts."""

    kernels: int
    analysis_s: float
    cold_s: float
    warm_s: float


def scan_of(what: str, folder: Path) -> Scan:
    """A scan on one core: from nothing, and with all results kept."""
    from estimator.options import Options
    from estimator.scan.file import work
    from estimator.scan.work import Done, Task
    from estimator.source.read import read_source

    def messages(file: Path) -> list[object]:
        return list(work(Task(read_source(str(file)), ".", Options(), 60.0)))

    files = sorted(folder.glob("*.cu"))
    kernels = sum(isinstance(message, Done) for file in files for message in messages(file))
    alone = sum(best_of(files, messages).values())
    command = [sys.executable, "-m", "estimator", "scan", str(folder), "--jobs", "1"]
    with tempfile.TemporaryDirectory() as cache:
        # A kernel that cannot be analysed ends the command with 1.
        shell = ["env", f"XDG_CACHE_HOME={cache}", "sh", "-c", '"$@" || [ $? = 1 ]', "sh"]
        cold = seconds_of([*shell, *command])
        warm = statistics.median(seconds_of([*shell, *command]) for _ in range(RUNS))
    print(f"\nkcost scan --jobs 1 of {what}, {kernels} kernels in {len(files)} files")
    print(f"analysis     {kernels / alone:7.0f} kernels per second   (aim: at least 40)")
    print(f"first run    {cold:7.2f} s, {kernels / cold:.0f} kernels per second with all it starts")
    print(f"second run   {warm:7.2f} s, {cold / warm:.0f} times faster   (aim: over 20)")
    return Scan(kernels, alone, cold, warm)


def growth() -> None:
    """The time for kernels of more and more statements."""
    from estimator.analysis import analyze

    print("\nstatements in one kernel")
    for count in (125, 250, 500, 1000, 2000):
        body = "\n".join(f"        s = s * x[i] + {n}.0f;" for n in range(count))
        text = (
            "__global__ void k(const float *x, float *y, int n)\n{\n"
            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    float s = 0.0f;\n"
            f"    if (i < n) {{\n{body}\n        y[i] = s;\n    }}\n}}\n"
        )
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "long.cu"
            file.write_text(text)
            start = time.perf_counter()
            analyze([str(file)])
            took = time.perf_counter() - start
        print(f"{count:6d} {took * 1e3:8.0f} ms  {took / count * 1e6:6.0f} us each")


if __name__ == "__main__":
    main()
