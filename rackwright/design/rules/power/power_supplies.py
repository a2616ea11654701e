"""After the declared loss of feeds, every device has enough power supplies left for its peak load.

Two conditions, both must hold: supplies left x rating carries the peak, and at least as many are left as the SKU says
are needed (4 of 6 for DGX H100, which is why its racks have three feeds).
"""

from __future__ import annotations

from collections.abc import Mapping

from rackwright.design.rules.power.survival import Survival, named
from rackwright.design.rules.rule import Judged, Rule, finding
from rackwright.model.design import Design
from rackwright.model.sku import Server, Switch


def judge(design: Design) -> Judged:
    """Per rack: the device that comes out worst."""
    survival = Survival(design)
    parts: Mapping[str, Server | Switch] = {**design.servers, **design.switches}
    by_rack = design.devices.partition_by("rack", as_dict=True, maintain_order=True)
    for rack in design.racks["rack"]:
        worst: tuple[float, str, int, frozenset[str]] | None = None
        for row in by_rack[rack,].iter_rows(named=True):
            for lost in survival.losses():
                alive = [s for s in survival.supplies[row["device"]] if s.feed not in lost]
                spare = sum(supply.watts for supply in alive) / row["peak_watts"]
                spare = min(spare, len(alive) / parts[row["sku"]].psus.needed)
                if worst is None or spare < worst[0]:
                    worst = (spare, row["device"], len(alive), lost)
        assert worst is not None, "a rack of the design holds something"
        spare, device, left, lost = worst
        part = parts[str(design.devices.filter(design.devices["device"] == device)["sku"][0])]
        watts = left * part.psus.watts_each
        observed = f"{left} of {part.psus.count} supplies ({watts} W) left {named(lost)}"
        expected = f"at least {part.psus.needed} of them and {part.peak_watts} W"
        says = f"Rack {rack}: {device} has {observed}, the worst of the rack"
        yield rack, finding(spare >= 1, observed, expected, f"SKU {part.sku}", says)


RULE = Rule("power_supplies", "Devices survive the loss of a feed", judge)
