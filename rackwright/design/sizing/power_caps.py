"""The caps that servers need where feeds, shelves or the busbar of their rack carry less than their peak.

They are measured on a design without caps: what hangs on a busbar beside its servers, and the supplies that are left when a feed is lost.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import polars as pl

from rackwright.catalog import Catalog, sizing_practice
from rackwright.design.power.caps import AFTER_LOSS, ALWAYS
from rackwright.design.power.shelves import shelf_watts
from rackwright.design.sizing.facts import Cap
from rackwright.model.design import Design
from rackwright.model.site import Pool
from rackwright.model.sku import Psus, Rack, Server


def caps(design: Design, feeds: int, catalog: Catalog) -> tuple[Cap, ...]:
    """The caps of the servers of every pool; empty if their power carries their peak."""
    servers = {pool.server: pool for pool in design.site.pools}
    return tuple(
        cap for sku, pool in servers.items() for cap in _caps(design, catalog.servers[sku], pool, feeds, catalog)
    )


def _caps(design: Design, server: Server, pool: Pool, feeds: int, catalog: Catalog) -> Iterator[Cap]:
    if server.psus.count:
        remaining = left_after_loss(server.psus, feeds)
        if remaining < server.psus.needed or remaining * server.psus.watts_each < server.peak_watts:
            yield Cap(server.sku, min(remaining * server.psus.watts_each, server.peak_watts - 1), AFTER_LOSS)
        return
    rack = catalog.racks[pool.rack or design.site.facility.halls[0].rack]
    others = _beside(design, server.sku, rack.sku)
    always, after = _busbar_watts(rack, catalog)
    peak, count = server.peak_watts, pool.servers_per_rack
    for most, applies in ((always, ALWAYS), (after, AFTER_LOSS)):
        if count * peak + others > most:
            watts = _round_down((most - others) / count)
            yield Cap(server.sku, watts, applies)
            peak = watts


def left_after_loss(psus: Psus, feeds: int) -> int:
    """Supplies that are left when one of `feeds` is lost, over which they are dealt evenly."""
    return psus.count - -(-psus.count // feeds)


def _busbar_watts(rack: Rack, catalog: Catalog) -> tuple[float, float]:
    """Watts that a rack may draw from its busbar permanently, and after the loss of shelves that must be survived."""
    shelf = catalog.power_shelves[rack.power_shelf or ""]
    amps, most = rack.busbar_amps or math.inf, rack.max_kw or math.inf
    always = min(amps * shelf.volts, most * 1000)
    return always, (rack.power_shelves or math.inf) * shelf.needed_share * shelf_watts(shelf)


def _beside(design: Design, server: str, rack: str) -> int:
    """Highest peak watts of other devices on the busbar of a rack of `server`: switch trays of NVLink."""
    racks = design.racks.filter(pl.col("sku") == rack).select("rack")
    trays = design.devices.join(racks, on="rack", how="semi").filter(
        (pl.col("sku") != server) & pl.col("sku").is_in(list(design.switches))
    )
    return int(trays.group_by("rack").agg(pl.col("peak_watts").sum())["peak_watts"].max() or 0)  # type: ignore[arg-type]


def _round_down(watts: float) -> int:
    step = sizing_practice.load().cap_step_watts
    return int(watts // step) * step
