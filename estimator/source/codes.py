"""Every diagnostic code, in one table. `docs/diagnostics.md` is checked against it.

K1xx reading a file, K2xx the language, K3xx what a kernel does, K4xx launches, K5xx options
and profiles. An error loses the kernel or file it names; a warning loses nothing.
"""

from __future__ import annotations

from estimator.source.diagnostics import Code, Severity

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING

FILE_MISSING = Code("K101", _ERROR, "file not found", "Check the path.")
FILE_UNREADABLE = Code(
    "K102", _ERROR, "file cannot be read", "Check its permissions, and that it is a file."
)
FILE_EMPTY = Code("K103", _ERROR, "file is empty", "Give a file with a __global__ function.")
FILE_BINARY = Code("K104", _ERROR, "file is not text", "Give CUDA source, not a compiled file.")
FILE_NOT_UTF8 = Code("K105", _ERROR, "file is not UTF-8", "Save the file as UTF-8.")
NO_KERNEL = Code(
    "K106", _ERROR, "no kernel in the file", "A kernel is a function marked __global__."
)
PREPROCESSOR = Code(
    "K110", _ERROR, "preprocessor error", "Fix the directive, or define what it needs: --macro."
)
HEADER_NOT_FOUND = Code(
    "K111", _WARNING, "header not found", "Name its folder with -I, or ignore this if unused."
)
UNDECIDED = Code(
    "K112", _WARNING, "condition is not decided", "Set the macro with --macro NAME=VALUE."
)
UNKNOWN_MACRO = Code(
    "K113",
    _WARNING,
    "macro is not known",
    "Define it with --macro NAME=VALUE or include its header.",
)

SYNTAX = Code("K201", _ERROR, "syntax error", "Fix the line; other kernels are still analysed.")
UNSUPPORTED = Code(
    "K202", _ERROR, "construct not supported", "Rewrite it in plain C, or leave this kernel out."
)
UNKNOWN_NAME = Code(
    "K203",
    _ERROR,
    "name is not declared",
    "Define it with --macro NAME=VALUE or include its header.",
)
UNKNOWN_TYPE = Code(
    "K204", _ERROR, "type is not known", "Include the header that defines it: -I DIR."
)
RECURSION = Code("K205", _ERROR, "recursion", "Write the recursion as a loop.")
TEMPLATE = Code(
    "K206", _ERROR, "template cannot be instantiated", "Instantiate it explicitly in the file."
)
ARRAY_LENGTH = Code(
    "K207",
    _ERROR,
    "length of an array is not known, or 0",
    "Check what its length is computed from.",
)

ALIGNMENT = Code(
    "K208", _ERROR, "alignment is not known", "Write it as a number: 1, 2, 4, 8, 16 and so on."
)

UNKNOWN_FUNCTION = Code(
    "K301", _WARNING, "function is not known", "Its cost is the named unknown; set it with --set."
)
TOO_LARGE = Code(
    "K302", _ERROR, "kernel is too large to analyse", "Split it, or shorten what is unrolled."
)

INTERNAL = Code(
    "K303", _ERROR, "kcost failed on this kernel", "Please report it, with the kernel's source."
)
ZERO_DIVISION = Code(
    "K304",
    _WARNING,
    "division by zero",
    "C leaves this undefined, so counts that depend on it are unknown; give other sizes with -D.",
)

OVER_BUDGET = Code(
    "K310", _ERROR, "analysis takes too long", "Give it more time: --budget SECONDS."
)
CRASHED = Code("K311", _ERROR, "analysis crashed", "Please report it, with the kernel's source.")

LAUNCH_UNREADABLE = Code(
    "K401", _WARNING, "launch cannot be followed", "Give it: --launch 'NAME: grid=(…) block=(…)'."
)
LAUNCH_IMPOSSIBLE = Code(
    "K402",
    _WARNING,
    "launch is not possible",
    "Check grid and block; the numbers are for them as given.",
)

KERNEL_ELSEWHERE = Code(
    "K403",
    _WARNING,
    "launched kernel is not here",
    "Name the file that defines it too: kcost analyze FILE FILE.",
)

UNKNOWN_GPU = Code("K501", _ERROR, "GPU is not known", "List the profiles with: kcost gpus.")
BAD_PROFILE = Code("K502", _ERROR, "GPU profile is broken", "See docs/gpus.md for its keys.")
UNKNOWN_PARAMETER = Code("K503", _ERROR, "no such parameter", "Use one of the names in the report.")
BAD_VALUE = Code("K504", _ERROR, "value is not a number", "Write an integer, such as N=4096.")
UNKNOWN_KERNEL = Code("K505", _ERROR, "no such kernel", "Use a kernel's name from the file.")
OUT_OF_RANGE = Code(
    "K506",
    _ERROR,
    "value is out of range",
    "Give a value that the parameter's type holds, or choose other kernels with --kernel.",
)
UNKNOWN_OUT_OF_RANGE = Code(
    "K507",
    _ERROR,
    "value of an unknown is out of range",
    "Give a value within the bounds in the report, or choose other kernels with --kernel.",
)

ALL: tuple[Code, ...] = tuple(
    value for value in list(globals().values()) if isinstance(value, Code)
)
