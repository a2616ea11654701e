"""Names of the machines of the cooling plant, before any table.

No Polars, because addresses need them in a plan.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rackwright.model.facility import CduSet, CrahSet, Facility


def cdus(facility: Facility) -> list[str]:
    """Every CDU, hall by hall."""
    sets = facility.liquid.cdus if facility.liquid else []
    first = facility.halls[0].name
    return [name for hall in facility.halls for name, _ in unit_names(sets, hall.name, first)]


def unit_names(sets: Iterable[CduSet | CrahSet], hall: str, first: str) -> Iterator[tuple[str, str]]:
    """``hall-1-chx2000-01``: units count per hall and SKU, so that an added one renames none."""
    count: Counter[str] = Counter()
    for unit_set in sets:
        if (unit_set.hall or first) != hall:
            continue
        for _ in range(unit_set.count):
            count[unit_set.sku] += 1
            yield f"{hall}-{unit_set.sku}-{count[unit_set.sku]:02d}", unit_set.sku
