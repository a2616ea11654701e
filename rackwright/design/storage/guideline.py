"""Storage rates that reference architectures require, for any number of scalable units, and the level that a tier reaches.

Published for 1 and 4 units only (``storage_guidelines.yaml``); other numbers follow by proportion.
"""

from __future__ import annotations

import math

from rackwright.catalog import storage_guidelines
from rackwright.catalog.storage_guidelines import Guideline
from rackwright.design.storage.study import Rates

DEFAULT = "dgx-h100"
"""Reference design of servers without one of their own."""


def guideline(scalable_units: int, level: str, design: str = DEFAULT) -> Rates:
    """Rates that `level` requires of the storage of `scalable_units` units. Raises KeyError for an unpublished level.

    In proportion to the largest published number of units, rounded down to whole GB/s, as the reference's own table does: one unit writes 7 and
    62 GB/s and four write 30 and 250 (DGX SuperPOD RA-11333-001 V11, table 6).
    """
    row = max(_rows(design, level, "scalable-unit"), key=lambda candidate: candidate.count)
    return Rates(
        read_gbytes_per_s=float(math.floor(row.read_gbytes_per_s * scalable_units / row.count)),
        write_gbytes_per_s=float(math.floor(row.write_gbytes_per_s * scalable_units / row.count)),
    )


def node_guideline(level: str, design: str = DEFAULT) -> Rates:
    """Rates that `level` requires for one node. Raises KeyError for a level without any."""
    row = _rows(design, level, "node")[0]
    return Rates(read_gbytes_per_s=float(row.read_gbytes_per_s), write_gbytes_per_s=float(row.write_gbytes_per_s))


def published(server: str) -> str:
    """The reference design of a server SKU: its own when one is published."""
    return server if any(row.design == server for row in storage_guidelines.load().guidelines) else DEFAULT


def reached(rates: Rates, scalable_units: int, design: str = DEFAULT) -> str | None:
    """The highest level whose read and write rates both stay within `rates`; None below the lowest."""
    required = {level: guideline(scalable_units, level, design) for level in _levels(design, "scalable-unit")}
    return _highest_guideline(rates, required)


def node_reached(rates: Rates, design: str = DEFAULT) -> str | None:
    """The highest level that one node reaches with `rates`; None below the lowest, or where none is published."""
    return _highest_guideline(rates, {level: node_guideline(level, design) for level in _levels(design, "node")})


def _highest_guideline(rates: Rates, required: dict[str, Rates]) -> str | None:
    met = [
        (rates_of_level.read_gbytes_per_s, level)
        for level, rates_of_level in required.items()
        if rates_of_level.read_gbytes_per_s <= rates.read_gbytes_per_s
        and rates_of_level.write_gbytes_per_s <= rates.write_gbytes_per_s
    ]
    return max(met)[1] if met else None


def _levels(design: str, scope: str) -> list[str]:
    rows = storage_guidelines.load().guidelines
    return list(dict.fromkeys(row.level for row in rows if (row.design, row.scope) == (design, scope)))


def _rows(design: str, level: str, scope: str) -> list[Guideline]:
    rows = storage_guidelines.load().guidelines
    matching = [row for row in rows if (row.design, row.level, row.scope) == (design, level, scope)]
    if not matching:
        raise KeyError(f"no {scope} guideline {level} of {design}")
    return matching
