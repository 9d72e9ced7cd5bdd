"""The corpus as files: `python tests/corpus/write.py DIR --count 300 --seed 1`.

The same count and seed write the same files: kernels for benchmarks.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parent.parent))

from oracle.generate import write_kernel

from corpus.draws import RandomWriter, style_of
from corpus.layout import lay_out
from corpus.programs import program
from corpus.tokens import tokens_of


def text_of(seed: int, index: int) -> bytes:
    """File `index` of a corpus: every third a kernel that the oracle can run."""
    writer = RandomWriter(Random(f"{seed}.{index}"))
    if index % 3 == 2:
        text, names = write_kernel(writer).source, ("s", "d")
    else:
        made = program(writer, refused=index % 20 == 7)
        text, names = made.text, made.local_names
    return lay_out(tokens_of(text), style_of(writer), names).data


def main() -> None:
    """Write the files asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for index in range(options.count):
        name = options.folder / f"{index:04d}.cu"
        name.write_bytes(text_of(options.seed, index))


if __name__ == "__main__":
    main()
