"""Halls for every rack within their IT load limit, and the cable routes between them.

A scalable unit stands in one hall where rows allow it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from rackwright.catalog import Routing, sizing_practice
from rackwright.catalog.sizing_practice import SizingPractice
from rackwright.design.sizing.facts import HallSize
from rackwright.design.sizing.refusal import refuse
from rackwright.design.sizing.request import SizeRequest
from rackwright.design.sizing.rough_count import Rough
from rackwright.model.sku import Rack

MILLIMETERS = 1000


def halls(request: SizeRequest, rough: Rough, row_factor: int) -> tuple[HallSize, ...]:
    """The halls, the last one only as large as needed."""
    practice, total = sizing_practice.load(), len(rough.rack_watts)
    length = min(request.racks_per_row or _row(rough.unit_racks, practice) * row_factor, total)
    most = _most_racks(request.hall_kw or practice.hall_kw, rough)
    if request.hall_kw is None and -(-total // most) > practice.most_halls:
        most = -(-total // practice.most_halls)
    if most < 1:
        raise refuse(
            "--hall-kw",
            "not one rack fits into a hall",
            f"at least {max(rough.rack_watts) / 1000:.0f} kW",
            f"{request.hall_kw} kW",
            "raise --hall-kw",
        )
    if -(-total // most) > MOST_HALLS:
        raise refuse(
            "--hall-kw",
            f"{total} racks would stand in {-(-total // most)} halls",
            f"at most {MOST_HALLS} halls, every two of them with a cable route",
            f"{request.hall_kw} kW a hall",
            "raise --hall-kw",
        )
    return tuple(_hall_sizes(total, most, min(length, most), rough.unit_racks))


MOST_HALLS = 64
"""Every two halls have a route: 2,016 of them."""


def routes(sizes: Sequence[HallSize], rack: Rack, routing: Routing) -> dict[tuple[str, str], float]:
    """Metres between every two halls, which stand in a square grid as wide as the largest of them and a gap."""
    row = max(hall.racks_per_row for hall in sizes) * rack.width_mm
    across = max(hall.rows for hall in sizes) * routing.row_pitch_millimeters
    pitch = math.ceil(max(row, across) / MILLIMETERS + sizing_practice.load().hall_gap_meters)
    columns = math.isqrt(len(sizes) - 1) + 1
    place = {hall.name: divmod(at, columns) for at, hall in enumerate(sizes)}
    return {
        (first, second): float(
            pitch * (abs(place[first][0] - place[second][0]) + abs(place[first][1] - place[second][1]))
        )
        for first, second in combinations(place, 2)
    }


def _most_racks(hall_kw: int, rough: Rough) -> int:
    """Racks per hall so that no hall, wherever its first rack is, draws more than `hall_kw`; units stay together."""
    size = rough.unit_racks
    units = [rough.rack_watts[at : at + size] for at in range(0, len(rough.rack_watts), size)]
    densest = max(sum(watts) / len(watts) for watts in units)
    alone = max(rough.rack_watts)
    return int(hall_kw * 1000 // densest) if densest * size <= hall_kw * 1000 else int(hall_kw * 1000 // alone)


def _row(unit: int, practice: SizingPractice) -> int:
    """The longest row that holds whole units, or of which whole rows make a unit; the longest of all where none does."""
    lengths = range(practice.racks_per_row, practice.shortest_row - 1, -1)
    return next((length for length in lengths if length % unit == 0 or unit % length == 0), practice.racks_per_row)


def _hall_sizes(total: int, most: int, length: int, unit: int) -> Iterator[HallSize]:
    rows = max(1, most // length)
    divisors = [divisor for divisor in range(rows, 0, -1) if divisor * length % unit == 0]
    rows = divisors[0] if divisors and divisors[0] * 2 > rows else rows
    remaining, number = total, 0
    while remaining > 0:
        number += 1
        size = min(rows, -(-remaining // length))
        yield HallSize(f"hall-{number}", size, length)
        remaining -= size * length
