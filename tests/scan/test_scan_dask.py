"""Scans on a real cluster of dask.distributed: workers are processes on this machine."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from scanning import add, found, kcost, tree

from estimator.scan.cluster import ClusterError, connected
from estimator.scan.spread import on_cluster
from estimator.scan.work import Task

distributed = pytest.importorskip("distributed")
