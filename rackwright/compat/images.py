"""The CUDA or ROCm version in a container image, read from its name.

Only names are read, because rules apply before anything is pulled; an image with an unknown name has only the fact
``image``, and its rules are inconclusive.
"""

from __future__ import annotations

import re
from functools import cache

from rackwright.compat import version
from rackwright.compat.facts import Facts, cuda_facts
from rackwright.compat.rule import Date, read
from rackwright.model.base import Record


class Brings(Record):
    """The version in images whose name matches a pattern: a fixed version, or the part of the tag that holds it."""

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
    """Registry prefixes that may be omitted from an image name."""
    brings: list[Brings]


@cache
def load_images() -> Images:
    """The known images, by patterns of their names."""
    return Images.model_validate(read("images"))


def image_facts(image: str, facts: Facts) -> Facts:
    """The facts of a node class with those of one of its images."""
    cuda, rocm, source = versions_in_image(image)
    image_facts = {**facts, "image": image, "image_cuda": cuda, "image_rocm": rocm, "image_source": source}
    image_facts |= cuda_facts("image_cuda", cuda)
    driver_cuda = facts.get("driver_cuda", "")
    if cuda and driver_cuda:
        ahead = version.compare(image_facts["image_cuda_release"], driver_cuda) > 0
        image_facts["image_ahead"] = "yes" if ahead else "no"
    return {name: value for name, value in image_facts.items() if value}


def versions_in_image(image: str) -> tuple[str, str, str]:
    """CUDA version, ROCm version and their source; three empty texts for an unknown image."""
    name = _short_name(image)
    tag = name.rpartition(":")[2]
    for row in load_images().brings:
        if not any(version.fits(name, pattern) for pattern in row.images):
            continue
        match = re.search(row.tag, tag) if row.tag else None
        if row.tag and match is None:
            continue
        versions = match.groupdict() if match else {}
        source = f"{row.source} ({row.date})"
        return versions.get("cuda") or row.cuda, versions.get("rocm") or row.rocm, source
    return "", "", ""


def _short_name(image: str) -> str:
    """The name without digest, and without a registry prefix that may be omitted."""
    name = image.partition("@")[0]
    prefix = next((registry for registry in load_images().registries if name.startswith(registry)), "")
    return name.removeprefix(prefix)
