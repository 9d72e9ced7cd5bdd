"""Running a scan: where tasks are done, what is kept, and progress at a terminal."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Iterator, Sequence

import click

from estimator.cli.errors import UsageProblem
from estimator.options import Options
from estimator.scan.merge import ScanReport
from estimator.scan.rows import FileRows
from estimator.scan.scan import OnProgress, Scan, Spread
from estimator.scan.work import Task, portable

_BAD_VALUE = "K504"


def run(
    paths: Sequence[str],
    options: Options,
    jobs: int | None,
    budget_s: float,
    use_cache: bool,
    address: str | None,
) -> ScanReport:
    """The report of a scan. Raises UsageProblem for a cluster that cannot be used."""
    options = portable(options)
    results = None
    if use_cache:
        from estimator.scan.cache import Cache, cache_folder
        from estimator.scan.results import Results

        cache = Cache(cache_folder())
        results = Results(cache, options, budget_s)
    with _spread(address, jobs) as spread, _progress() as on_progress:
        report = Scan(options, budget_s, results, spread, on_progress).run(paths)
    if results is not None:
        cache.prune()
    return report


@contextlib.contextmanager
def _spread(address: str | None, jobs: int | None) -> Iterator[Spread]:
    if address is None:
        yield lambda tasks, count: _here(tasks, count, jobs)
        return
    from estimator.scan.cluster import ClusterError, connected
    from estimator.scan.spread import on_cluster

    try:
        connection = connected(address)
        client = connection.__enter__()
    except ClusterError as error:
        raise UsageProblem(f"--dask: {error.message}", error.help, _BAD_VALUE) from None
    try:
        yield lambda tasks, count: on_cluster(tasks, client, jobs, _tell_failure)
    finally:
        connection.__exit__(None, None, None)


def _here(tasks: Iterable[Task], count: int, jobs: int | None) -> Iterator[FileRows]:
    # Here, because joblib is not needed where every file's rows are kept.
    from estimator.scan.spread import here

    return here(tasks, min(jobs, count) if jobs else None)


def _tell_failure(error: Exception) -> None:
    what = f"{type(error).__name__}: {error}"
    click.echo(f"kcost: warning: the cluster failed ({what}); going on here", err=True)


@contextlib.contextmanager
def _progress() -> Iterator[OnProgress]:
    """A bar on standard error, if that is a terminal."""
    if not sys.stderr.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("scanning"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
