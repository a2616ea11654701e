"""A software bill to start from, by vendor, platform, scheduler and system, for drafted site files."""

from __future__ import annotations

from functools import cache
from typing import Any

from rackwright.compat.rule import Date, read_all
from rackwright.model.base import Record


class ReferenceSet(Record):
    """Versions that work together."""

    vendor: str = ""
    platform: str = ""
    """Platform as derived by ``data/facts.yaml``."""
    scheduler: str = ""
    system: str = ""
    source: str
    date: Date
    versions: dict[str, str] = {}
    options: dict[str, Any] = {}
    """Options of roles that such nodes require."""


@cache
def _sets() -> list[ReferenceSet]:
    return [ReferenceSet.model_validate(row) for row in read_all("reference", "sets")]


def reference(vendor: str, scheduler: str = "", system: str = "", platform: str = "") -> dict[str, Any]:
    """Versions and options of the reference bill for accelerators of `vendor` on `platform`, and for nodes of
    `scheduler` with `system`.

    Empty if there is no set for them.
    """
    nodes = {"vendor": vendor, "platform": platform, "scheduler": scheduler, "system": system}
    sets = [entry for entry in _sets() if all(getattr(entry, key) in ("", value) for key, value in nodes.items())]
    options = {name: value for entry in sets for name, value in entry.options.items()}
    versions = {field: version for entry in sets for field, version in entry.versions.items()}
    return {**versions, **({"options": options} if options else {})}
