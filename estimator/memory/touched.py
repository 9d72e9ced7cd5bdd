"""The union of what accesses touch, counted by isl."""

from __future__ import annotations

from typing import Any

from estimator.algebra.cases import Sum
from estimator.count.cardinality import budget, cardinality, context
from estimator.count.isl_text import Translator
from estimator.memory.boxes import SECTOR_BYTES
from estimator.memory.chances import UnsayableError
from estimator.memory.delinearize import Shape
from estimator.memory.images import Image, read_map

# isl's unions slow down with the number of their parts.
_MOST_IMAGES = 64


class Touched:
    """The union of images in isl. Raises UnsayableError for more than isl can unite."""

    def __init__(self, images: list[Image]) -> None:
        self.like = Translator(())
        self.dimensions = len(images[0].indices)
        if len(images) > _MOST_IMAGES:
            raise UnsayableError
        union: Any = None
        with budget():
            for image in images:
                touched = read_map(image, self.like).range()
                union = touched if union is None else union.union(touched)
            self.points = union.coalesce()

    def units(self) -> Sum:
        """The number of units touched."""
        with budget():
            return Sum((cardinality(self.points, self.like.meaning),))

    def sectors(self, shape: Shape, unit: int) -> Sum:
        """The number of 32-byte sectors touched; rows start at one unless they are known not to."""
        import islpy as isl

        names = [f"d{n}" for n in range(self.dimensions)]
        if shape.is_aligned(unit, SECTOR_BYTES):
            there, place = [*names[:-1], "s"], names[-1]
        else:
            there = ["s"]
            terms = zip(names, shape.strides, strict=True)
            place = " + ".join(f"{stride.constant}*{name}" for name, stride in terms)
        inside = (
            f"0 <= {unit}*({place}) - {SECTOR_BYTES}*s + {unit - 1} <= {SECTOR_BYTES + unit - 2}"
        )
        text = f"{{ [{', '.join(names)}] -> [{', '.join(there)}] : {inside} }}"
        with budget():
            covered = self.points.apply(isl.Map.read_from_str(context(), text)).coalesce()
            return Sum((cardinality(covered, self.like.meaning),))
