"""The losses of a site without each of its feeds, halls, racks and switches, computed once for a page that shows them
on request.

On a large site one element of each kind of wiring is computed; the others are wired alike and lose as much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import polars as pl

from rackwright.design.whatif import Loss, Scenario, simulate_scenario
from rackwright.model.design import Design
from rackwright.report.site_page import ShownLoss

MOST = 300
"""Largest number of racks and switches that are computed one by one."""


def losses(design: Design) -> dict[str, ShownLoss]:
    """Element (``rack train-r01``) -> the consequences of its loss."""
    elements = [("feed", feed) for feed in design.site.facility.power.feeds]
    elements += [("hall", hall.name) for hall in design.site.facility.halls if hall.name in set(design.racks["hall"])]
    wired = list(_wired(design))
    alike = len(wired) > MOST
    computed: dict[Any, ShownLoss] = {}
    result = {f"{kind} {name}": _loss(design, kind, name) for kind, name in elements}
    for kind, name, wiring in wired:
        key = (kind, wiring) if alike else (kind, name)
        if key not in computed:
            computed[key] = _loss(design, kind, name)
        result[f"{kind} {name}"] = computed[key]
    return result


def _loss(design: Design, kind: str, name: str) -> ShownLoss:
    loss = Loss(kind, name)
    effect = simulate_scenario(design, Scenario(str(loss), (loss,), ()))
    failing = tuple(failing.says for failing in effect.failing)
    return ShownLoss(str(loss), (*effect.says, *failing), effect.survives, effect.devices_down)


def _wired(design: Design) -> Iterator[tuple[str, str, Any]]:
    """Racks and switches, each with a key of its wiring: devices by kind, and cables by fabric and kind."""
    ends = pl.concat(
        design.cables.select("fabric", "kind", "plane", pl.col(f"{side}_device").alias("device")) for side in ("a", "b")
    )
    counts: dict[str, list[Any]] = {}
    for fabric, kind, plane, device, count in ends.group_by("fabric", "kind", "plane", "device").len().iter_rows():
        counts.setdefault(device, []).append((fabric, kind, plane is None, count))
    racks: dict[str, Counter[Any]] = {}
    for device, kind, role, rack, sku in design.devices.select("device", "kind", "role", "rack", "sku").iter_rows():
        wiring = (role, sku, tuple(sorted(counts.get(device, []))))
        racks.setdefault(rack, Counter())[wiring] += 1
        if kind == "switch":
            yield "switch", device, wiring
    for rack, wirings in racks.items():
        yield "rack", rack, frozenset(wirings.items())
