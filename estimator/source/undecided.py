"""Conditions of the preprocessor that nothing in the files decides, around code of the GPU."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable

from estimator.immutable import immutable
from estimator.source import codes
from estimator.source.diagnostics import Diagnostic, diagnose
from estimator.source.position import PositionMap, SourceFile

_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*(?P<name>if|ifdef|ifndef|elif|else|endif|define)\b(?P<rest>[^\n]*)", re.M
)
_DEFINED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M)
_DEVICE = re.compile(r"\b__(?:global|device)__\b")
# Names that the language keeps for compilers, and platforms that are not CUDA on Linux.
_RESERVED = re.compile(r"__|_[A-Z]|(?:USE_ROCM|WIN32|WIN64|ROCM_\w+|HIP_\w+)\b")
_NO_CODE = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.DOTALL)
_MOST_LINES = 5


@immutable()
class Question:
    """A macro that no definition was found for, in the condition at `offset` of `file`."""

    name: str
    file: SourceFile
    offset: int


@immutable()
class _Branch:
    """The text behind one of the directives of a group, `[start, end)`."""

    directive: str
    start: int
    end: int


def undecided(questions: Iterable[Question], positions: PositionMap) -> list[Diagnostic]:
    """A warning for each macro on which code of the GPU depends and that nothing defines."""
    places: dict[str, list[tuple[Question, list[_Branch]]]] = {}
    defined: dict[str, set[str]] = {}
    for question in dict.fromkeys(questions):
        file = question.file
        if file.path not in defined:
            defined[file.path] = set(_DEFINED.findall(file.text))
        if _RESERVED.match(question.name) or question.name in defined[file.path]:
            continue  # a guard, a default, or a choice that another condition makes
        branches = _group(question)
        if branches and _matters(question, branches):
            places.setdefault(question.name, []).append((question, branches))
    if not places:
        return []
    used = _used_offsets(positions)
    return [_warning(name, found, used) for name, found in places.items()]


def _warning(
    name: str, found: list[tuple[Question, list[_Branch]]], used: dict[str, list[int]]
) -> Diagnostic:
    question, branches = found[0]
    file = question.file
    offsets = used.get(file.path, [])
    taken = next((one for one in branches if _is_used(one, offsets)), None)
    what = "what stands behind it is left out"
    if taken is not None:
        first = file.position(taken.start).line
        last = max(first, file.position(taken.end - 1).line)
        lines = f"line {first}" if first == last else f"lines {first} to {last}"
        what = f"the branch of #{taken.directive} is taken, {lines}"
    message = f"nothing defines '{name}', on which this condition depends: {what}"
    others = dict.fromkeys(str(one.file.position(one.offset).line) for one, _ in found[1:])
    if others:
        more = ", …" if len(others) > _MOST_LINES else ""
        plural = "s" if len(others) > 1 else ""
        message += f"; also at line{plural} {', '.join(list(others)[:_MOST_LINES])}{more}"
    help_ = f"Set it with --macro {name} or --macro {name}=VALUE, or include what defines it."
    return diagnose(codes.UNDECIDED, file.position(question.offset), message, help_)


def _used_offsets(positions: PositionMap) -> dict[str, list[int]]:
    """Where text of each file was used, sorted."""
    used: dict[str, list[int]] = {}
    for segment in positions.segments:
        used.setdefault(segment.file.path, []).append(segment.source_offset)
    return {path: sorted(offsets) for path, offsets in used.items()}


def _is_used(branch: _Branch, offsets: list[int]) -> bool:
    index = bisect_left(offsets, branch.start)
    return index < len(offsets) and offsets[index] < branch.end


def _group(question: Question) -> list[_Branch]:
    """The branches of the conditional that the question is asked in, from that one on."""
    text = question.file.text
    found: list[_Branch] = []
    depth = 0
    directive, start = "", 0
    line = text.rfind("\n", 0, question.offset) + 1
    for match in _DIRECTIVE.finditer(text, line):
        name = match["name"]
        if not directive:
            if name not in {"if", "ifdef", "ifndef", "elif"}:
                return []
            directive, start = name, match.end() + 1
        elif name in {"if", "ifdef", "ifndef"}:
            depth += 1
        elif depth and name == "endif":
            depth -= 1
        elif not depth and name in {"elif", "else", "endif"}:
            found.append(_Branch(directive, start, match.start()))
            if name == "endif":
                return found
            directive, start = name, match.end() + 1
    return []


def _matters(question: Question, branches: list[_Branch]) -> bool:
    """Whether code of the GPU is in the branches or around them."""
    text = question.file.text
    start, end = branches[0].start, branches[-1].end
    return _DEVICE.search(text, start, end) is not None or _is_inside(text, start)


def _is_inside(text: str, offset: int) -> bool:
    """Whether the place is in the body of a kernel or device function, by its braces."""
    last = max(text.rfind("__global__", 0, offset), text.rfind("__device__", 0, offset))
    if last < 0:
        return False
    between = _NO_CODE.sub("", text[last:offset])
    return between.count("{") > between.count("}")
