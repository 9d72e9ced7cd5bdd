"""CUDA source with directives and macros → text without them, and where each part came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from estimator.immutable import immutable
from estimator.source import codes
from estimator.source.common import common_before, common_in
from estimator.source.diagnostics import Diagnostic, diagnose
from estimator.source.headers import Headers
from estimator.source.position import PositionMap, SourceFile
from estimator.source.predefined import BUILTIN, PREDEFINED
from estimator.source.undecided import undecided
from estimator.source.verbatim import without_comments


@immutable()
class PreprocessedUnit:
    """A file after preprocessing; `#pragma` lines are the only directives left in `text`.

    `headers` has the headers that went into it, and where others were looked for.
    """

    path: str
    text: str
    positions: PositionMap
    diagnostics: tuple[Diagnostic, ...]
    headers: Headers = field(default_factory=Headers)


def preprocess(
    source: SourceFile,
    *,
    include_dirs: Sequence[str] = (),
    macros: Mapping[str, str] | None = None,
) -> PreprocessedUnit:
    """`source` with its comments gone, its macros expanded and its headers included.

    `include_dirs` are searched for headers, after the folder of the including file for those
    in quotes. `macros` (name → replacement) win over every definition in the files, over
    `#undef` and over what is predefined (see `estimator.source.predefined`). Macros of common
    libraries (`estimator.source.common`) hold where a file uses one that nothing defines.
    Never raises for any text: what is wrong is among the unit's diagnostics, and the text is
    what could be made of the rest.
    """
    headers = Headers()
    common = common_before(source.text, macros or {}, searches=bool(include_dirs))
    unit = _preprocess(source, include_dirs, macros or {}, common, headers)
    more = {name: text for name, text in common_in(unit.text).items() if name not in common}
    if not more:
        return unit
    # Only now is it known that no header defines them.
    return _preprocess(source, include_dirs, macros or {}, {**common, **more}, headers)


def _preprocess(
    source: SourceFile,
    include_dirs: Sequence[str],
    macros: Mapping[str, str],
    common: Mapping[str, str],
    headers: Headers,
) -> PreprocessedUnit:
    names = BUILTIN.union(PREDEFINED, (name.split("(")[0] for name in (*macros, *common)))
    text = without_comments(source.text, include_dirs, names, headers)
    if text is not None:
        positions = PositionMap()
        positions.add(0, source, 0, verbatim=True)
        return PreprocessedUnit(source.path, text, positions, (), headers)
    return _expand(source, include_dirs, macros, common, headers)


def _expand(
    source: SourceFile,
    include_dirs: Sequence[str],
    macros: Mapping[str, str],
    common: Mapping[str, str],
    headers: Headers,
) -> PreprocessedUnit:
    # Here, because importing pcpp takes longer than most files need in all.
    from estimator.source.expander import Expander
    from estimator.source.layout import Layout
    from estimator.source.macros import AbandonedError
    from estimator.source.pragmas import lay_out

    expander = Expander(source, include_dirs, macros, headers)
    for name, value in common.items():
        expander.define(f"{name} {value}")
    layout = Layout(source)
    try:
        lay_out(expander.tokens(), layout)
    except AbandonedError:
        pass
    except RecursionError:
        _give_up(expander.diagnostics, expander.directive, "macros are nested too deeply")
    except Exception as error:  # pcpp trusts its input more than anyone should
        message = f"the text after this directive cannot be preprocessed ({error!r})"
        _give_up(expander.diagnostics, expander.directive, message)
    if not layout.positions.segments:
        layout.positions.add(0, source, 0, verbatim=False)
    found = (*expander.diagnostics, *undecided(expander.questions, layout.positions))
    return PreprocessedUnit(source.path, layout.text, layout.positions, found, headers)


def _give_up(diagnostics: list[Diagnostic], place: tuple[SourceFile, int], message: str) -> None:
    file, offset = place
    diagnostics.append(diagnose(codes.PREPROCESSOR, file.position(offset), message))
