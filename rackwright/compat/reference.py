"""A software bill to start from, per vendor, platform, scheduler and system, for site files that are drafted."""

from __future__ import annotations

from functools import cache
from typing import Any

from rackwright.compat.rule import Date, read_all
from rackwright.model.base import Record


class ReferenceSet(Record):
    """Versions that go together."""

    vendor: str = ""
    platform: str = ""
    """As ``data/facts.yaml`` derives it."""
    scheduler: str = ""
    system: str = ""
    source: str
    date: Date
    versions: dict[str, str] = {}
    options: dict[str, Any] = {}
    """Options of roles that such nodes cannot do without."""


@cache
def _sets() -> list[ReferenceSet]:
    return [ReferenceSet.model_validate(row) for row in read_all("reference", "sets")]


def reference(vendor: str, scheduler: str = "", system: str = "", platform: str = "") -> dict[str, Any]:
    """What a bill says for accelerators of `vendor` on `platform` and for nodes of `scheduler` with `system`, by field; empty where there is no set."""
    nodes = {"vendor": vendor, "platform": platform, "scheduler": scheduler, "system": system}
    sets = [entry for entry in _sets() if all(getattr(entry, key) in ("", value) for key, value in nodes.items())]
    options = {name: value for entry in sets for name, value in entry.options.items()}
    versions = {field: version for entry in sets for field, version in entry.versions.items()}
    return {**versions, **({"options": options} if options else {})}
