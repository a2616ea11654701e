"""What a container image brings: its CUDA or ROCm, read from its name.

Names alone are read, for rules are asked before anything can
be pulled; an image that says nothing by its name has the fact ``image`` alone, and its rules are inconclusive.
"""

from __future__ import annotations

import re
from functools import cache

from rackwright.compat import version
from rackwright.compat.facts import Facts, cuda_facts
from rackwright.compat.rule import Date, read
from rackwright.model.base import Record


class Brings(Record):
    """What images whose name fits a pattern bring: a version, or where the tag says it."""

    images: list[str]
    """Shell patterns over ``repository:tag``."""
    cuda: str = ""
    rocm: str = ""
    tag: str = ""
    """Regular expression over the tag; its group ``cuda`` or ``rocm`` is the version."""
    source: str
    date: Date


class Images(Record):
    """``data/images.yaml``."""

    registries: list[str]
    """Registry prefixes that may be left out of an image name."""
    brings: list[Brings]


@cache
def known() -> Images:
    """The images that are known by name."""
    return Images.model_validate(read("images"))


def of(image: str, facts: Facts) -> Facts:
    """The facts of a node class with those of one of its images."""
    cuda, rocm, source = brought(image)
    found = {**facts, "image": image, "image_cuda": cuda, "image_rocm": rocm, "image_source": source}
    found |= cuda_facts("image_cuda", cuda)
    driver_cuda = facts.get("driver_cuda", "")
    if cuda and driver_cuda:
        ahead = version.compare(found["image_cuda_release"], driver_cuda) > 0
        found["image_ahead"] = "yes" if ahead else "no"
    return {name: value for name, value in found.items() if value}


def brought(image: str) -> tuple[str, str, str]:
    """CUDA, ROCm and the source that says so; three empty texts for an image that is not known."""
    name = _short(image)
    tag = name.rpartition(":")[2]
    for one in known().brings:
        if not any(version.fits(name, pattern) for pattern in one.images):
            continue
        said = re.search(one.tag, tag) if one.tag else None
        if one.tag and said is None:
            continue
        told = said.groupdict() if said else {}
        source = f"{one.source} ({one.date})"
        return told.get("cuda") or one.cuda, told.get("rocm") or one.rocm, source
    return "", "", ""


def _short(image: str) -> str:
    """The name without digest and without the registry it is known under anyway."""
    name = image.partition("@")[0]
    prefix = next((one for one in known().registries if name.startswith(one)), "")
    return name.removeprefix(prefix)
