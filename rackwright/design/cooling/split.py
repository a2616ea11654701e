"""The heat of every device: the share into liquid, the share into air, and the flows that carry both away.

All of a device's peak power becomes heat; its part states the share of the liquid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rackwright.design.cooling.flow import Media
from rackwright.model.sku import Server, Switch


@dataclass(frozen=True)
class Heat:
    """Heat in watts and the flows for it; liquid and air together are the electrical load."""

    liquid_watts: int = 0
    air_watts: int = 0
    coolant_liters_per_minute: float = 0.0
    airflow_cfm: float = 0.0

    def __add__(self, heat: Heat) -> Heat:
        """The sum of both."""
        return Heat(
            self.liquid_watts + heat.liquid_watts,
            self.air_watts + heat.air_watts,
            self.coolant_liters_per_minute + heat.coolant_liters_per_minute,
            self.airflow_cfm + heat.airflow_cfm,
        )

    def __mul__(self, count: int) -> Heat:
        """`count` times the same heat."""
        return Heat(
            self.liquid_watts * count,
            self.air_watts * count,
            self.coolant_liters_per_minute * count,
            self.airflow_cfm * count,
        )


def of_part(part: Server | Switch, through: Media) -> Heat:
    """Heat of one device at its peak.

    Coolant: the larger of the flow that its vendor states and the flow that the site's temperature rise requires. Air: the airflow that its vendor
    states, since its fans move that much; from heat and rise where none is stated.
    """
    liquid = round(part.peak_watts * part.liquid.share) if part.liquid else 0
    air = part.peak_watts - liquid
    stated = (part.liquid.liters_per_minute or 0.0) if part.liquid else 0.0
    flow = max(stated, liquid * through.liters_per_minute_per_watt)
    airflow = float(part.airflow_cfm) or air * through.cfm_per_watt
    return Heat(liquid, air, flow, airflow)


def heat(parts: Iterable[Server | Switch], through: Media) -> Heat:
    """Heat of all `parts` together, one entry per device."""
    part_by_sku: dict[str, Server | Switch] = {}
    counts: Counter[str] = Counter()
    for part in parts:
        part_by_sku[part.sku] = part
        counts[part.sku] += 1
    return sum((of_part(part_by_sku[sku], through) * count for sku, count in sorted(counts.items())), Heat())
