"""Tasks spread over processes: on this machine, or on a Dask cluster.

joblib spreads them. On this machine its threads only wait, each for a process that analyses
(`estimator.scan.process`): joblib's own processes cannot be killed one by one, and one that dies
ends them all. On a cluster each
Dask task is a file, done in the same way there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

from estimator.scan.process import Crew
from estimator.scan.rows import FileRows
from estimator.scan.supervise import rows_of
from estimator.scan.work import Task

if TYPE_CHECKING:
    from distributed import Client


def here(tasks: Iterable[Task], jobs: int | None) -> Iterator[FileRows]:
    """The rows of each task's file, as they come, by so many processes; None for all cores."""
    from joblib import Parallel, cpu_count, delayed

    jobs = jobs or cpu_count()
    crew = Crew()
    parallel = Parallel(
        n_jobs=jobs,
        backend="threading",
        batch_size=1,
        pre_dispatch=2 * jobs,
        return_as="generator_unordered",
    )
    try:
        yield from parallel(delayed(rows_of)(task, crew) for task in tasks)
    finally:
        crew.close()


def on_cluster(
    tasks: Iterable[Task],
    client: Client,
    jobs: int | None,
    on_failure: Callable[[Exception], None],
) -> Iterator[FileRows]:
    """`here` on the workers of a cluster.

    What the cluster fails on is done here instead, after `on_failure` has been told why.
    """
    rest = iter(tasks)
    at_work: dict[str, Task] = {}

    def handed_out() -> Iterator[Task]:
        for task in rest:
            at_work[task.source.path] = task
            yield task

    try:
        for rows in _dask(handed_out(), client):
            del at_work[rows.path]
            yield rows
    except Exception as error:
        on_failure(error)
        yield from here(chain(list(at_work.values()), rest), jobs)


def _dask(tasks: Iterator[Task], client: Client) -> Iterator[FileRows]:
    from joblib import Parallel, delayed, parallel_config

    from estimator.scan.worker import CrewPlugin, rows_on_worker

    plugin = CrewPlugin()
    client.register_plugin(plugin)
    threads = max(1, sum(client.nthreads().values()))
    try:
        with parallel_config(backend="dask", client=client):
            parallel = Parallel(
                n_jobs=threads,
                batch_size=1,
                pre_dispatch=3 * threads,
                return_as="generator_unordered",
            )
            yield from parallel(delayed(rows_on_worker)(task, plugin.name) for task in tasks)
    finally:
        with suppress(Exception):  # the cluster may be what failed
            client.unregister_worker_plugin(plugin.name)
