"""From what a user calls a GPU to its profile: a shipped one by name, or a file of their own."""

from __future__ import annotations

import re
from pathlib import Path

from estimator.gpus.build import build_profile
from estimator.gpus.errors import BAD_PROFILE, UNKNOWN_GPU, GpuError
from estimator.gpus.index import NAMES
from estimator.gpus.profile import GpuProfile
from estimator.gpus.toml_text import read_profile_text
from estimator.gpus.validate import check_agreement, check_values

PROFILES_DIRECTORY = Path(__file__).parent / "profiles"

_SEPARATORS = re.compile(r"[\s_()-]+")
# Makers' and series' names that people leave out.
_OPTIONAL_WORDS = frozenset({"nvidia", "tesla", "geforce"})
_SHORTEST_PREFIX = 3


def shipped_ids() -> tuple[str, ...]:
    """The ids of all shipped profiles, in the order in which they are listed."""
    return tuple(NAMES)


def load_shipped(gpu_id: str) -> GpuProfile:
    """The shipped profile with exactly this id. Raises GpuError (K502) for no such file."""
    return load_profile(PROFILES_DIRECTORY / f"{gpu_id}.toml")


def load_profile(path: Path | str) -> GpuProfile:
    """The profile in the TOML file at `path`.

    Raises GpuError (K502) with every fault of the file, each with line and column.
    """
    file = read_profile_text(path)
    faults = check_values(file)
    if not faults:
        profile = build_profile(file.values, default_id=Path(path).stem.lower())
        faults = check_agreement(file, profile)
        if not faults:
            return profile
    if len(faults) == 1:
        message = faults[0]
    else:
        message = "\n".join([f"{path}: {len(faults)} faults in the GPU profile", *faults])
    raise GpuError(message, BAD_PROFILE.help, BAD_PROFILE)


def find_gpu(text: str) -> GpuProfile:
    """The GPU that `text` names: an id, alias or display name, or the path of a profile.

    Case, spaces, dashes and underscores do not matter, nor do "NVIDIA", "Tesla" and "GeForce".
    A text that ends in .toml, or that names no GPU but an existing file, is read as a profile.

    Raises GpuError: K501 for an unknown or ambiguous name, K502 for a broken profile.
    """
    if text.lower().endswith(".toml"):
        return load_profile(text)
    wanted = _squeezed(text)
    for gpu_id, names in NAMES.items():
        if wanted and any(wanted == _squeezed(name) for name in (gpu_id, *names)):
            return load_shipped(gpu_id)
    if _is_file(text):
        return load_profile(text)
    raise _not_found(text)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):
        return False


def _words(text: str) -> list[str]:
    words = [word for word in _SEPARATORS.split(text.strip().lower()) if word]
    return [word for word in words if word not in _OPTIONAL_WORDS]


def _squeezed(text: str) -> str:
    return "".join(_words(text))


def _not_found(text: str) -> GpuError:
    if not text.strip():
        return GpuError("the GPU's name is empty", UNKNOWN_GPU.help, UNKNOWN_GPU)
    variants = _variants(text)
    if len(variants) > 1:
        message = f"{text!r} names several GPUs: {', '.join(variants)}"
        return GpuError(message, f"Choose one, such as {variants[0]}.", UNKNOWN_GPU)
    near = variants or _nearest_ids(text)
    message = f"no GPU is called {text!r}"
    if not near:
        return GpuError(message, UNKNOWN_GPU.help, UNKNOWN_GPU)
    help = f"{UNKNOWN_GPU.help} A file with a profile of your own is also possible."
    return GpuError(f"{message}; the nearest: {', '.join(near)}", help, UNKNOWN_GPU)


def _variants(text: str) -> list[str]:
    """Ids of the GPUs of which one name holds all words of `text`, or begins with it."""
    words, squeezed = set(_words(text)), _squeezed(text)
    if not words:
        return []
    return [
        gpu_id
        for gpu_id, names in NAMES.items()
        if any(
            words <= set(_words(name))
            or (len(squeezed) >= _SHORTEST_PREFIX and _squeezed(name).startswith(squeezed))
            for name in (gpu_id, *names)
        )
    ]


def _nearest_ids(text: str) -> list[str]:
    from difflib import get_close_matches  # only unknown names need it

    by_name = {
        _squeezed(name): gpu_id for gpu_id, names in NAMES.items() for name in (gpu_id, *names)
    }
    close = get_close_matches(_squeezed(text), list(by_name), n=6, cutoff=0.5)
    return list(dict.fromkeys(by_name[name] for name in close))[:3]
