"""`std::enable_if` chooses among overloads by the types of the arguments."""

from __future__ import annotations

import pytest
from simplifying import messages, simplified

FLOAT, INT = "std::is_floating_point_v<T>", "std::is_integral<T>::value"
FORMS = {
    "value": "template <typename T, std::enable_if_t<%s, int> = 0> __device__ T f(T v) { return v %s; }\n",
    "result": "template <typename T> __device__ std::enable_if_t<%s, T> f(T v) { return v %s; }\n",
    "typename result": (
        "template <typename T> __device__ typename std::enable_if<%s, T>::type f(T v)"
        " { return v %s; }\n"
    ),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize(
    ("argument", "chosen", "other"), [("float", "* 3", "/ 7"), ("int", "/ 7", "* 3")]
)
def test_the_enabled_overload(form: str, argument: str, chosen: str, other: str) -> None:
    text = form % (FLOAT, "* 3") + form % (INT, "/ 7")
    text += f"__global__ void k({argument} *x) {{ x[0] = f(x[0]); }}"
    assert messages(text) == []
    assert chosen in simplified(text).text
    assert other not in simplified(text).text


def test_a_condition_that_is_not_known_is_refused() -> None:
    form = FORMS["value"]
    text = form % ("mine<T>()", "* 3") + form % ("!mine<T>()", "/ 7")
    text += "__global__ void k(float *x) { x[0] = f(x[0]); }"
    assert [one.split()[1] for one in messages(text)] == ["K202"]
