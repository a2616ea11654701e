"""A software bill to start from, per vendor, for site files that are drafted."""

from __future__ import annotations

from functools import cache

from rackwright.compat.rule import Date, read
from rackwright.model.base import Record


class ReferenceSet(Record):
    """Versions that go together."""

    vendor: str
    source: str
    date: Date
    versions: dict[str, str]


class ReferenceSets(Record):
    """``data/reference.yaml``."""

    sets: list[ReferenceSet]


@cache
def _sets() -> dict[str, ReferenceSet]:
    return {vendor_set.vendor: vendor_set for vendor_set in ReferenceSets.model_validate(read("reference")).sets}


def reference(vendor: str) -> dict[str, str]:
    """The versions of the set of `vendor`, by field of the bill; empty for a vendor without one."""
    return dict(_sets()[vendor].versions) if vendor in _sets() else {}
