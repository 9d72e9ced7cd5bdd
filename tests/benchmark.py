"""How fast kcost is: `python tests/benchmark.py`.

Prints whole-process times against importing sympy, what starting up loads, the time of the
analysis alone for every kernel of the samples, reading by 1,000 lines, a scan of the samples and
of a generated corpus from nothing and with results kept, how analysis grows with a kernel's
length, and peak memory. A report to read, not a test: nothing fails for being slow.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from estimator.collecting import collect_rarely

SAMPLES = Path(__file__).parent.parent / "samples"
RUNS = 9
CORPUS_FILES = 120


def main() -> None:
    """Run everything and print it."""
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
    """Analysis of every kernel of the samples, the file read and parsed along with it."""
    from estimator.algebra.ratio import reduce
    from estimator.analysis import analyze

    analyze([str(SAMPLES / "stencil_5pt.cu")])  # imports
    times: list[tuple[float, str]] = []
    for file in sorted(SAMPLES.glob("*.cu")):
        best, kernels = float("inf"), 0
        for _ in range(3):
            reduce.cache_clear()  # each run starts from nothing
            start = time.perf_counter()
            report = analyze([str(file)])
            best = min(best, time.perf_counter() - start)
            kernels = len(report.kernels)
        if kernels:
            times.extend([(best / kernels, file.name)] * kernels)
    times.sort()
    worst = times[-1]
    print(f"\nanalysis of {len(times)} kernels, by kernel, best of 3")
    print(f"median {statistics.median(t for t, _ in times) * 1e3:6.1f} ms   (aim: at most 15)")
    print(f"most   {worst[0] * 1e3:6.1f} ms   (aim: at most 150), {worst[1]}")


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
    scan_of("the samples", SAMPLES)
    with tempfile.TemporaryDirectory() as folder:
        writer = Path(__file__).parent / "corpus" / "write.py"
        command = [sys.executable, str(writer), folder, "--count", str(CORPUS_FILES)]
        subprocess.run(command, check=True)
        scan_of("a generated corpus", Path(folder))


def scan_of(what: str, folder: Path) -> None:
    """A scan on one core: from nothing, and with all results kept."""
    from estimator.algebra.ratio import reduce
    from estimator.options import Options
    from estimator.scan.file import work
    from estimator.scan.work import Done, Task
    from estimator.source.read import read_source

    tasks = [
        Task(read_source(str(path)), ".", Options(), 60.0) for path in sorted(folder.glob("*.cu"))
    ]
    kernels, alone = 0, float("inf")
    for _ in range(3):
        reduce.cache_clear()
        start = time.perf_counter()
        kernels = sum(isinstance(message, Done) for task in tasks for message in work(task))
        alone = min(alone, time.perf_counter() - start)
    command = [sys.executable, "-m", "estimator", "scan", str(folder), "--jobs", "1"]
    with tempfile.TemporaryDirectory() as cache:
        # A kernel that cannot be analysed ends the command with 1.
        shell = ["env", f"XDG_CACHE_HOME={cache}", "sh", "-c", '"$@" || [ $? = 1 ]', "sh"]
        cold = seconds_of([*shell, *command])
        warm = statistics.median(seconds_of([*shell, *command]) for _ in range(RUNS))
    print(f"\nkcost scan --jobs 1 of {what}, {kernels} kernels in {len(tasks)} files")
    print(f"analysis     {kernels / alone:7.0f} kernels per second   (aim: at least 40)")
    print(f"first run    {cold:7.2f} s, {kernels / cold:.0f} kernels per second with all it starts")
    print(f"second run   {warm:7.2f} s, {cold / warm:.0f} times faster   (aim: over 20)")


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
