"""Which version the kernel shows of a driver release, where the maker numbers both apart (``data/modules.yaml``)."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache

from rackwright.compat.rule import Date, read
from rackwright.model.base import Record


class ModuleVersion(Record):
    """The kernel module of the releases that a pattern covers."""

    vendor: str
    """Maker of the accelerators."""
    release: str
    module: str
    source: str
    date: Date


class ModuleTable(Record):
    """``data/modules.yaml``."""

    modules: list[ModuleVersion]


@cache
def load_modules() -> list[ModuleVersion]:
    """The rows of ``data/modules.yaml``."""
    return ModuleTable.model_validate(read("modules")).modules


def kernel_module(vendor: str, release: str) -> ModuleVersion | None:
    """The module of the driver `release` of `vendor`. None where no row covers it: see `numbered_apart`."""
    rows = [row for row in load_modules() if row.vendor == vendor]
    return next((row for row in rows if fnmatchcase(release, row.release)), None)


def numbered_apart(vendor: str) -> bool:
    """Whether the modules of this maker have other numbers than the releases of its driver."""
    return any(row.vendor == vendor for row in load_modules())
