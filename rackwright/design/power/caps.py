"""Power caps: the draw of servers, and the supplies they need, under a limit that the site declares."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from rackwright.catalog import Catalog
from rackwright.model.facility import Power, PowerCap
from rackwright.model.site import Site
from rackwright.model.sku import Server, Switch

ALWAYS, AFTER_LOSS = "always", "after-loss"


@dataclass(frozen=True)
class Capped:
    """Draw and supplies of a device after the loss of one of its supplies."""

    watts: int
    needed: int
    """Supplies that must run."""


def with_caps(power: Power, catalog: Catalog) -> Catalog:
    """`catalog` with the peak of servers lowered to their permanent cap."""
    caps = {cap.server: cap.watts for cap in power.caps if cap.applies == ALWAYS}
    capped = {sku: _capped(server, caps[sku]) for sku, server in catalog.servers.items() if sku in caps}
    return replace(catalog, servers={**catalog.servers, **capped}) if capped else catalog


def _capped(server: Server, watts: int) -> Server:
    typical = server.typical_watts
    peak = min(server.peak_watts, watts)
    return server.model_copy(
        update={"peak_watts": peak, "typical_watts": None if typical is None else min(typical, peak)}
    )


def after_loss(power: Power, part: Server | Switch) -> Capped:
    """Draw and needed supplies of `part` after the loss of one supply or of a shelf of its busbar; its peak without a declared cap.

    Under a cap it needs enough supplies to carry the cap, but no fewer than its maker allows.
    """
    watts = next((cap.watts for cap in power.caps if cap.server == part.sku and cap.applies == AFTER_LOSS), None)
    psus = part.psus
    if watts is None or watts >= part.peak_watts:
        return Capped(part.peak_watts, psus.needed)
    if psus.reduced is None:
        return Capped(watts, psus.needed)
    return Capped(watts, min(psus.needed, max(psus.reduced, math.ceil(watts / psus.watts_each))))


def list_caps(site: Site, catalog: Catalog) -> list[dict[str, Any]]:
    """One row per cap: watts of the server without it, and watts and share of full power that its accelerators keep.

    `catalog` is the one without caps. Empty if no cap is declared.
    """
    return [_row(cap, catalog) for cap in site.facility.power.caps if cap.server in catalog.servers]


def _row(cap: PowerCap, catalog: Catalog) -> dict[str, Any]:
    server = catalog.servers[cap.server]
    part = catalog.accelerators.get(server.accelerator or "")
    full = server.accelerators * part.tdp_watts if part else 0
    beside = max(0, server.peak_watts - full)
    remaining = max(0, cap.watts - beside)
    return {
        **cap.model_dump(),
        "peak_watts": server.peak_watts,
        "beside_watts": beside,
        "accelerator_watts": remaining // server.accelerators if server.accelerators else 0,
        "accelerator_share": round(min(1.0, remaining / full), 3) if full else None,
    }
