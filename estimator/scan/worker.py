"""What runs on the workers of a Dask cluster. Importing this module imports dask.distributed."""

from __future__ import annotations

from uuid import uuid4

from distributed import Worker, WorkerPlugin, get_worker

from estimator.fingerprint import fingerprint
from estimator.scan.process import Crew
from estimator.scan.rows import FileRows
from estimator.scan.supervise import rows_of
from estimator.scan.work import Task


class OtherVersionError(Exception):
    """The worker has another kcost than the scan."""


class CrewPlugin(WorkerPlugin):
    """Gives every worker a crew for one scan, and ends it with the scan or the worker."""

    def __init__(self) -> None:
        self.name = f"kcost_crew_{uuid4().hex}"
        self.fingerprint = fingerprint()

    def setup(self, worker: Worker) -> None:
        """Called on each worker, those that come later too."""
        fits = fingerprint() == self.fingerprint
        setattr(worker, self.name, Crew() if fits else None)

    def teardown(self, worker: Worker) -> None:
        """Called where the plugin is taken away or the worker ends."""
        crew = getattr(worker, self.name, None)
        if crew is not None:
            crew.close()


def rows_on_worker(task: Task, name: str) -> FileRows:
    """`rows_of` on the worker that this runs on, by the crew of that plugin.

    Raises OtherVersionError where the worker has another kcost.
    """
    crew: Crew | None = getattr(get_worker(), name)
    if crew is None:
        raise OtherVersionError("a worker that came later has another kcost")
    return rows_of(task, crew)
