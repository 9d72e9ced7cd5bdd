"""Inside `case 512:` and `if (threads == 512)` the variable has that value."""

from __future__ import annotations

import pytest
from simplifying import item

KERNEL = "template <int B> __global__ void k(float *x, int n) { }\nconst int LARGE = 512;\n"
LAUNCH = "k<512><<<n / 512, t>>>(x, n);"
CASES = {
    "case": f"switch (t) {{ case 512: {LAUNCH} break; }}",
    "a case behind another": f"switch (t) {{ case 1: f(); break; case 512: {LAUNCH} break; }}",
    "a case in braces": f"switch (t) {{ case 1: {{ f(); return; }} case 512: {{ {LAUNCH} }} }}",
    "constant": f"switch (t) {{ case LARGE: {LAUNCH} }}",
    "block before": f"dim3 b(t, 1, 1); switch (t) {{ case 512: {LAUNCH.replace(', t>', ', b>')} }}",
    "if": f"if (t == 512) {LAUNCH}",
    "if turned around": f"if (512 == t) {{ {LAUNCH} }}",
    "else if": f"if (t == 1) f(); else if (t == 512) {{ {LAUNCH} }}",
    "both": f"if (n > 4 && t == 512) {{ {LAUNCH} }}",
    "in a loop": f"for (int i = 0; i < n; i++) {{ if (t == 512) {LAUNCH} }}",
    "computed before": f"t = n / 2; while (t > 512) t /= 2; if (t == 512) {LAUNCH}",
}
OPEN = {
    "two cases": f"switch (t) {{ case 256: case 512: {LAUNCH} break; }}",
    "falls through": f"switch (t) {{ case 256: f(); case 512: {LAUNCH} break; }}",
    "default": f"switch (t) {{ default: {LAUNCH} }}",
    "else": f"if (t == 512) f(); else {LAUNCH}",
    "either": f"if (t == 512 || n > 4) {LAUNCH}",
    "another comparison": f"if (t >= 512) {LAUNCH}",
    "a variable": f"if (t == n) {LAUNCH}",
    "changed behind it": f"if (t == 512) {{ t /= m; {LAUNCH} }}",
}


def launch(body: str) -> str:
    host = f"void h(float *x, int n, int t, int m) {{ {body} }}"
    return " ".join(item(KERNEL + host, "launch__1").split())


@pytest.mark.parametrize("body", CASES.values(), ids=CASES)
def test_known(body: str) -> None:
    text = launch(body)
    value = "LARGE" if "LARGE" in body else "512"
    assert "(int n) {" in text
    assert f"int t = {value};" in text


@pytest.mark.parametrize("body", OPEN.values(), ids=OPEN)
def test_not_known(body: str) -> None:
    assert "int t = 512;" not in launch(body)


def test_each_case_has_its_own_block() -> None:
    cases = "".join(f"case {b}: k<{b}><<<n / {b}, t>>>(x, n); break; " for b in (64, 128))
    host = f"void h(float *x, int n, int t) {{ switch (t) {{ {cases} }} }}"
    assert "int t = 64;" in item(KERNEL + host, "launch__1")
    assert "int t = 128;" in item(KERNEL + host, "launch__2")
