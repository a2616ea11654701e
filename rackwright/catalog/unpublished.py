"""Parts that sites request but whose makers publish too little to plan them, read from ``unpublished.yaml``."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache

from rackwright.catalog.datafile import read_record
from rackwright.model.base import Record


class Unpublished(Record):
    """One thing that the catalog cannot have."""

    names: list[str]
    """Patterns of its name, in small letters and digits alone."""
    what: str
    why: str
    next_step: str
    date: str
    """ISO date of the last search for a source."""


class UnpublishedThings(Record):
    """``unpublished.yaml``."""

    things: list[Unpublished]


def unpublished_thing(name: object) -> Unpublished | None:
    """The entry for `name`; None if it is not one of these parts."""
    plain = re.sub(r"[^a-z0-9]", "", str(name).lower())
    return next((thing for thing in things() if any(fnmatchcase(plain, pattern) for pattern in thing.names)), None)


@cache
def things() -> list[Unpublished]:
    """All entries."""
    return read_record("unpublished", UnpublishedThings).things
