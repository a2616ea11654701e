"""Difference in cost between two designs: money where prices are known, else the published price of a watt; racks, parts and kilowatts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rackwright.catalog import cost_reference
from rackwright.model.design import Design

WATTS_PER_KW = 1000
KW_STEP = 0.1


@dataclass(frozen=True)
class Expense:
    """Differences to the design as declared; negative figures are savings."""

    money: float
    """In the currency of the site over its years: what the site's prices say, and the building by the cost reference."""
    racks: int
    parts: int
    it_kw: float

    @property
    def rank(self) -> tuple[float, int, int, float]:
        """Sort key, the cheapest first."""
        return round(self.money), self.racks, self.parts, self.it_kw


def between(before: Design, after: Design) -> Expense:
    """`after` minus `before`."""
    prices = _priced(after) - _priced(before)
    watts = _carried_kw(after) - _carried_kw(before)
    reference = cost_reference.load().warehouse_scale
    it_kw = after.totals["it_kw"] - before.totals["it_kw"]
    return Expense(
        money=prices + watts * WATTS_PER_KW * reference.facility_price_per_watt,
        racks=after.totals["racks"] - before.totals["racks"],
        parts=_parts(after) - _parts(before),
        it_kw=round(it_kw / KW_STEP) * KW_STEP,
    )


def _priced(design: Design) -> float:
    """Total cost in the site's currency, as far as prices are known; 0 if none is."""
    figures: dict[str, Any] = design.studies.get("cost", {}).get("figures", {})
    return (figures.get("total", {}).get("value")) or 0.0


def _carried_kw(design: Design) -> float:
    """Capacity of the feeds left after the declared loss, in kW: the power that a building is paid for."""
    power = design.site.facility.power
    return float((len(power.feeds) - min(power.survive.feeds, len(power.feeds) - 1)) * power.feed_kw)


def _parts(design: Design) -> int:
    """Pieces in the bill, without spares."""
    return int(design.bill["quantity"].sum() or 0)
