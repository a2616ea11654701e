"""The version that the kernel reports for a driver release, for makers that number the two separately
(``data/modules.yaml``).
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache

from rackwright.compat.rule import Date, read_all
from rackwright.model.base import Record

PACKAGED = re.compile(r"\.(\d{1,2})(\d\d)(\d\d)(?:\d\d)?$")
"""End of the version of AMD's packages: the release with two digits for each number (repo.radeon.com, as in
`data/modules.yaml` and public records).
"""


class ModuleVersion(Record):
    """The kernel module of the releases that match a pattern."""

    vendor: str
    """Maker of the accelerators."""
    release: str
    module: str
    source: str
    date: Date


@cache
def load_modules() -> list[ModuleVersion]:
    """The rows of ``data/modules.yaml`` and of the files of single vendors."""
    return [ModuleVersion.model_validate(row) for row in read_all("modules", "modules")]


def kernel_module(vendor: str, release: str) -> ModuleVersion | None:
    """The module of the driver `release` of `vendor`. None if no row covers it: see `numbered_apart`."""
    rows = [row for row in load_modules() if row.vendor == vendor]
    return next((row for row in rows if fnmatchcase(release, row.release)), None)


def numbered_apart(vendor: str) -> bool:
    """Whether the modules of this maker have other version numbers than its driver releases."""
    return any(row.vendor == vendor for row in load_modules())


def release_of(vendor: str, module: str) -> str:
    """The newest release of the driver of `vendor` that carries `module`; empty if there is none."""
    rows = [row for row in load_modules() if (row.vendor, row.module) == (vendor, module)]
    return rows[0].release.rstrip("*") if rows else ""


def packaged_release(version: str) -> str:
    """The release in the version of an AMD package, whose other numbers are those of the module or library.

    ``6.16.13.30300300`` is 30.30.3, ``7.2.3.70203`` is 7.2.3, ``6.12.12.60402`` is 6.4.2. A version of another form is
    returned unchanged.
    """
    match = PACKAGED.search(version)
    return ".".join(str(int(number)) for number in match.groups()) if match else version
