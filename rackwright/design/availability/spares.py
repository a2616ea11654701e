"""How many spares to keep of every part, so that one is on the shelf when one is needed.

While a new part is on its way,
failures follow a Poisson law; spares are its quantile at the confidence the site asks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rackwright.catalog import Catalog
from rackwright.catalog.failure_rates import DAYS_PER_YEAR, FailureRates, Part
from rackwright.design.availability.poisson import quantile
from rackwright.design.bill.equipment import adapters
from rackwright.design.bill.line import BillLine
from rackwright.model.design import Design
from rackwright.model.economics import Operations
from rackwright.model.plant import PowerShelf
from rackwright.model.sku import Server, Switch

COPPER = ("copper", "active-copper", "cat6")
NOT_COUNTED = (
    "memory modules and fans: their number per server is in no SKU",
    "adapters on a board, and those that the catalog does not list: no part to keep",
    "scale-up links inside a rack: part of its cartridges, no failure rate is published",
    "fibre without its transceivers: no failure rate is published",
    "racks, UPS, busways, PDUs and cooling machines: repaired on site, no failure rate is published",
)
"""Parts for which no number of spares can be given, and why."""


@dataclass(frozen=True)
class InService:
    """Equal parts in service. `sku` is the part's own, or ``<device>:<part>`` for what only a device's vendor sells."""

    part: Part
    sku: str
    count: int
    length_meters: float | None = None


def of_site(lines: Sequence[BillLine], design: Design, catalog: Catalog) -> list[InService]:
    """Every part in service that has a failure rate, from the lines of the bill."""
    return [part for line in lines for part in _of_line(line, design, catalog) if part.count]


def of_nodes(server: Server, nodes: int, catalog: Catalog) -> list[InService]:
    """The parts of `nodes` equal nodes, without switches and cables."""
    parts = list(_inside_device(server, nodes))
    if server.accelerator:
        parts.insert(0, InService("accelerator", server.accelerator, nodes * server.accelerators))
    parts += [InService("nic", name, nodes * each) for name, each in adapters(server, catalog).items()]
    return [part for part in parts if part.count]


def rows(parts: Sequence[InService], rates: FailureRates, operations: Operations) -> list[dict[str, Any]]:
    """One row per part: failures expected per year, and spares for the time a delivery takes."""
    return [_row(part, rates, operations) for part in parts]


def _row(part: InService, rates: FailureRates, operations: Operations) -> dict[str, Any]:
    yearly = part.count * rates.per_year(part.part)
    awaited = yearly * operations.spare_delivery_days / DAYS_PER_YEAR
    return {
        "part": part.part,
        "sku": part.sku,
        "length_meters": part.length_meters,
        "in_service": part.count,
        "failures_per_part_year": rates.per_year(part.part),
        "failures_per_year": round(yearly, 3),
        "failures_until_delivery": round(awaited, 4),
        "spares": quantile(awaited, operations.spare_confidence),
    }


def _of_line(line: BillLine, design: Design, catalog: Catalog) -> Iterator[InService]:
    if line.kind in ("accelerator", "nic", "optic"):
        kinds: dict[str, Part] = {"accelerator": "accelerator", "nic": "nic", "optic": "optic"}
        yield InService(kinds[line.kind], line.sku, line.quantity)
    elif line.kind == "server":
        yield from _inside_device(design.servers[line.sku], line.quantity)
    elif line.kind == "switch":
        yield InService("switch", line.sku, line.quantity)
        yield from _inside_device(design.switches[line.sku], line.quantity)
    elif line.kind == "power_shelf":
        shelf = design.plant_parts.get(line.sku) or catalog.power_shelves.get(line.sku)
        if isinstance(shelf, PowerShelf):
            yield InService("psu", f"{line.sku}:psu", line.quantity * shelf.psus)
    elif line.kind == "cable" and line.included_in is None:
        yield from _cable(line, design)


def _cable(line: BillLine, design: Design) -> Iterator[InService]:
    """Copper by its own rate; cables with fixed optics fail like a link, both ends; loose fibre has no rate."""
    part = design.cable_parts[line.sku]
    if part.medium in COPPER:
        yield InService("copper-cable", line.sku, line.quantity, line.length_meters)
    elif part.optic is None:
        yield InService("link", line.sku, line.quantity, line.length_meters)


def _inside_device(device: Server | Switch, count: int) -> Iterator[InService]:
    yield InService("psu", f"{device.sku}:psu", count * device.psus.count)
    if isinstance(device, Server):
        yield InService("cpu", f"{device.sku}:cpu", count * device.cpu_sockets)
        yield InService("chassis", f"{device.sku}:chassis", count)
        if device.local_storage:
            yield InService("ssd", f"{device.sku}:ssd", count * device.local_storage.drives)
