"""Cutting a text with syntax errors into pieces that are parsed one by one.

The parser's own recovery may swallow the functions around an error. So when a file has one,
its top level is cut at every function, type and variable, and an error spoils one of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from estimator.simplify.tree import Chunk

_TOKEN = re.compile(
    r"[{};]"
    r"|\b__global__\b"
    r"|^(?:template\b|__device__\b|__constant__\b|struct\b|class\b|namespace\b|using\b|typedef\b"
    r"|static\b|void\b|extern\b"
    r"|(?!else\b|return\b|do\b)[A-Za-z_][\w:<>*& \t]*[ \t*&][\w:]+[ \t]*\([^;{}()]*\)\s*(?=\{))",
    re.MULTILINE,
)
_NAMESPACE = re.compile(r"\s*(?:inline\s+)?namespace\b\s*(?P<name>[\w:]*)\s*$")
_LINKAGE = re.compile(r"\s*extern\s+\"[^\"]*\"\s*$")
_TYPE = re.compile(r"\s*(?:typedef\s+)?(?:template\s*<[^;{}()]*>\s*)?(?:struct|class|union|enum)\b")
_INITIALISER = re.compile(r"=\s*$")
_HEADER_LINE = re.compile(
    r"\s*(?:template\b.*|static\b.*|inline\b.*|extern\s+\"[^\"]*\"|__launch_bounds__.*|[\w\s]*)$"
)


def cut(parsed: str) -> list[Chunk]:
    """The top-level pieces of the (masked) text, in order; every one may hold one item."""
    cutter = _Cutter(parsed)
    for token in _TOKEN.finditer(parsed):
        cutter.take(token.group(), token.start())
    cutter.finish()
    return cutter.chunks


@dataclass(slots=True)
class _Cutter:
    parsed: str
    chunks: list[Chunk] = field(default_factory=list)
    scopes: list[str] = field(default_factory=list)
    depth: int = 0
    begin: int = 0

    def take(self, token: str, at: int) -> None:
        if at < self.begin:
            return
        if token == "{":
            self._open(at)
        elif token == "}":
            self._close(at)
        elif token == ";":
            if self.depth == 0:
                self._end(at + 1)
        else:
            self._resynchronise(token, at)

    def finish(self) -> None:
        self._end(len(self.parsed))

    def _open(self, at: int) -> None:
        if self.depth == 0:
            before = self.parsed[self.begin : at]
            namespace = _NAMESPACE.match(before)
            if namespace or _LINKAGE.match(before):
                self.scopes.append(namespace["name"] if namespace else "")
                self.begin = at + 1
                return
        self.depth += 1

    def _close(self, at: int) -> None:
        if self.depth == 0:
            self._end(at)
            self.begin = at + 1
            if self.scopes:
                self.scopes.pop()
            else:
                self._spoil(at)
            return
        self.depth -= 1
        if self.depth == 0:
            before = self.parsed[self.begin : at]
            opened = before.find("{")
            if not (_TYPE.match(before) or _INITIALISER.search(before[:opened])):
                self._end(at + 1)

    def _spoil(self, at: int) -> None:
        """A brace too many: the function before it ended too early, and is cut short."""
        for index in range(len(self.chunks) - 1, -1, -1):
            chunk = self.chunks[index]
            if self.parsed[chunk.end - 1] == "}":
                if chunk.stray is None:
                    self.chunks[index] = replace(chunk, stray=at)
                return

    def _resynchronise(self, token: str, at: int) -> None:
        """A function's header inside another one: a brace was never closed."""
        header = self._header_start(at)
        if header <= self.begin:
            return
        before = self.parsed[self.begin : header]
        if self.depth == 0 and (token != "__global__" or _HEADER_LINE.match(before.strip())):
            return
        self._end(header)
        self.depth = 0

    def _header_start(self, at: int) -> int:
        start = self.parsed.rfind("\n", 0, at) + 1
        while start > self.begin:
            previous = self.parsed.rfind("\n", 0, start - 1) + 1
            line = self.parsed[previous : start - 1]
            if previous < self.begin or not line.strip() or not _HEADER_LINE.match(line):
                break
            start = previous
        return start

    def _end(self, end: int) -> None:
        if self.parsed[self.begin : end].strip(" \t\n;"):
            scope = "::".join(name for name in self.scopes if name)
            self.chunks.append(Chunk(self.begin, end, scope))
        self.begin = end
