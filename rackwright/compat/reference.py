"""A software bill to start from, per vendor, for site files that are drafted."""

from __future__ import annotations

from functools import cache

from rackwright.compat.rule import Date, read
from rackwright.model.base import Record


class Set(Record):
    """Versions that go together."""

    vendor: str
    source: str
    date: Date
    versions: dict[str, str]


class Sets(Record):
    """``data/reference.yaml``."""

    sets: list[Set]


@cache
def _sets() -> dict[str, Set]:
    return {one.vendor: one for one in Sets.model_validate(read("reference")).sets}


def reference(vendor: str) -> dict[str, str]:
    """The versions of the set of `vendor`, by field of the bill; empty for a vendor without one."""
    return dict(_sets()[vendor].versions) if vendor in _sets() else {}
