"""A Dask cluster to scan on: connecting to it, and whether its workers are fit for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from estimator.fingerprint import fingerprint

if TYPE_CHECKING:
    from distributed import Client

_CONNECT_S = 10
_SCHEMES = ("tcp", "tls", "ws", "wss", "ucx")
_ADDRESS_HELP = "Give the address that `dask scheduler` prints, such as tcp://10.0.0.1:8786."


class ClusterError(Exception):
    """The cluster cannot be used: `message` says why, `help` what to do."""

    def __init__(self, message: str, help: str) -> None:
        super().__init__(message)
        self.message = message
        self.help = help


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """A client of the scheduler at `address`.

    Raises ClusterError where Dask is not installed, nothing answers, there is no worker, or a
    worker has another kcost than this process, which could give other numbers.
    """
    try:
        from distributed import Client
    except ImportError:
        message = "dask.distributed is not installed"
        raise ClusterError(message, "Install it: pip install distributed.") from None
    scheme, separator, _ = address.partition("://")
    if separator and scheme not in _SCHEMES:  # Client would leave a half-made object behind
        raise ClusterError(f"no Dask scheduler has an address like {address!r}", _ADDRESS_HELP)
    try:
        client = Client(address, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        message = f"no Dask scheduler answers at {address!r} ({error})"
        raise ClusterError(message, _ADDRESS_HELP) from None
    try:
        _check_workers(client)
        yield client
    finally:
        client.close()


def _check_workers(client: Client) -> None:
    try:
        found = client.run(fingerprint)
    except Exception as error:
        message = f"the workers cannot run kcost ({type(error).__name__}: {error})"
        raise ClusterError(message, "Install the same kcost on every worker.") from None
    if not found:
        raise ClusterError("the cluster has no worker", "Start one with: dask worker ADDRESS.")
    others = sorted(worker for worker, other in found.items() if other != fingerprint())
    if others:
        message = f"{len(others)} of {len(found)} workers have another kcost, such as {others[0]}"
        raise ClusterError(message, "Install the same kcost, Python and libraries everywhere.")
