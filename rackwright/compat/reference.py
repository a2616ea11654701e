"""A software bill to start from, per vendor and scheduler, for site files that are drafted."""

from __future__ import annotations

from functools import cache

from rackwright.compat.rule import Date, read
from rackwright.model.base import Record


class ReferenceSet(Record):
    """Versions that go together."""

    vendor: str = ""
    scheduler: str = ""
    source: str
    date: Date
    versions: dict[str, str]


class ReferenceSets(Record):
    """``data/reference.yaml``."""

    sets: list[ReferenceSet]


@cache
def _sets() -> list[ReferenceSet]:
    return ReferenceSets.model_validate(read("reference")).sets


def reference(vendor: str, scheduler: str = "") -> dict[str, str]:
    """The versions for accelerators of `vendor` and for nodes of `scheduler`, by field of the bill; empty where there is no set."""
    sets = [entry for entry in _sets() if entry.vendor in ("", vendor) and entry.scheduler in ("", scheduler)]
    return {field: version for entry in sets for field, version in entry.versions.items()}
