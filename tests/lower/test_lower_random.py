"""cuRAND's device functions: costs after their sources, states in memory and in registers."""

from __future__ import annotations

from pathlib import Path

import pytest
from costing import KERNEL, body_costs, file_of

INCLUDE = "#include <curand_kernel.h>"
LOCAL = "curandState s = ((curandState *)x)[i]; "
# The copy of the state is one load of 48 bytes.
BODIES = {
    "unsigned r = curand(&s);": {"loads.global": "1"},
    "float r = curand_uniform(&s);": {"loads.global": "1", "flops.fp32": "2"},
    "double r = curand_uniform_double(&s);": {"loads.global": "1", "flops.fp64": "2"},
    "float2 r = curand_normal2(&s);": {"loads.global": "1", "flops.fp32": "7", "special": "3"},
    "float r = curand_normal(&s);": {"loads.global": "1", "flops.fp32": "7/2", "special": "3/2"},
    "((curandState *)x)[i] = s;": {"loads.global": "1", "stores.global": "1"},
}


@pytest.mark.parametrize(("body", "expected"), BODIES.items(), ids=str)
def test_local_states(body: str, expected: dict[str, str], tmp_path: Path) -> None:
    assert body_costs(tmp_path, LOCAL + body, INCLUDE) == expected


def test_a_state_in_memory_is_read_and_written(tmp_path: Path) -> None:
    body = "curandStatePhilox4_32_10_t *p = (curandStatePhilox4_32_10_t *)x; y[i] = "
    found = body_costs(tmp_path, body + "curand_uniform(&p[i]);", INCLUDE)
    assert found == {"flops.fp32": "2", "loads.global": "1", "stores.global": "2"}


def test_a_new_state_is_stored(tmp_path: Path) -> None:
    found = body_costs(tmp_path, "curand_init(1, i, 0, &((curandState *)x)[i]);", INCLUDE)
    assert found == {"stores.global": "1"}


def test_what_depends_on_the_numbers_has_a_name(tmp_path: Path) -> None:
    source = KERNEL.format(body=LOCAL + "unsigned r = curand_poisson(&s, 3.0);", before=INCLUDE)
    (kernel,) = file_of(tmp_path, source).kernels
    assert [one.name for one in kernel.unknowns] == ["flops_curand_poisson@5"]
