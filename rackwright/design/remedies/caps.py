"""Remedies for racks and supplies that carry less than the peak: a cap of their servers, a higher cap, batteries for longer."""

from __future__ import annotations

import math
from collections.abc import Iterator

from rackwright.catalog import Catalog, remedy_ranges, sizing_practice
from rackwright.design.power.caps import AFTER_LOSS, ALWAYS
from rackwright.design.remedies.floor import peer_racks
from rackwright.design.remedies.knob import ChangeTerms, FieldChange, Knob, short, values
from rackwright.design.remedies.power import POWER, fewer_servers, further_feed, more_ups, no_feed_lost, no_supply_lost
from rackwright.model.site import Site
from rackwright.model.sku import Server


def cap_always(site: Site, catalog: Catalog) -> Iterator[Knob]:
    """The servers of each pool draw less at every hour."""
    yield from _caps(site, catalog, ALWAYS)


def cap_after_loss(site: Site, catalog: Catalog) -> Iterator[Knob]:
    """The servers of each pool draw less once a supply, or a shelf of their busbar, is out."""
    yield from _caps(site, catalog, AFTER_LOSS)


def _caps(site: Site, catalog: Catalog, applies: str) -> Iterator[Knob]:
    """One knob per server: caps from just below its current draw down to the least it can run with."""
    declared: dict[tuple[str, str], int] = {
        (cap.server, cap.applies): at for at, cap in enumerate(site.facility.power.caps)
    }
    for sku in dict.fromkeys(pool.server for pool in site.pools if pool.server in catalog.servers):
        at, server = declared.get((sku, applies)), catalog.servers[sku]
        most = server.peak_watts if at is None else site.facility.power.caps[at].watts
        watts = reversed(_steps(least_watts(server, catalog), most))
        yield Knob(tuple((_cap(site, sku, each, applies, at),) for each in watts), ChangeTerms.PROMISE)


def least_watts(server: Server, catalog: Catalog) -> float:
    """The lowest possible draw of `server`: everything beside its accelerators, plus the least that these run with."""
    part = catalog.accelerators.get(server.accelerator or "")
    full = min(server.peak_watts, server.accelerators * part.tdp_watts) if part else 0
    return server.peak_watts - full * (1 - remedy_ranges.load().least_cap_share)


def _steps(least: float, most: float) -> range:
    """Watts from `least` to below `most`, in steps of the size that caps are written in, no more of them than are tried."""
    step, tried = sizing_practice.load().cap_step_watts, remedy_ranges.load().values_tried
    first, end = math.ceil(least / step) * step, math.ceil(most / step) * step
    return range(first, end, math.ceil(max(end - first, step) / step / tried) * step)


def _cap(site: Site, sku: str, watts: int, applies: str, at: int | None) -> FieldChange:
    field, caps = f"{POWER}.caps", site.facility.power.caps
    if at is not None:
        return FieldChange(f"{field}[{at}].watts", watts)
    entry = {"server": sku, "watts": watts} | ({"applies": applies} if applies != ALWAYS else {})
    return FieldChange(f"{field}[{len(caps)}]", entry) if caps else FieldChange(field, [entry])


def wider_caps(site: Site, catalog: Catalog) -> Iterator[Knob]:
    """Declared caps raised to leave their servers more power."""
    for at, cap in enumerate(site.facility.power.caps):
        if server := catalog.servers.get(cap.server):
            least = max(least_watts(server, catalog), cap.watts + 1)
            yield values(f"{POWER}.caps[{at}].watts", _steps(least, server.peak_watts))


def longer_batteries(site: Site, _: Catalog) -> Iterator[Knob]:
    """Batteries that are ordered for more minutes at full load."""
    ups = site.facility.power.ups
    if ups and ups.minutes:
        minutes = ups.minutes
        options = dict.fromkeys(math.ceil(minutes * times) for times in remedy_ranges.load().growth_times)
        yield values(f"{POWER}.ups.minutes", [option for option in options if option > minutes])


def shorter_bridge(site: Site, _: Catalog) -> Iterator[Knob]:
    """Batteries that need not carry their feed for so long."""
    ups = site.facility.power.ups
    if ups and ups.bridge_minutes:
        bridge = ups.bridge_minutes
        options = [short(bridge * share) for share in remedy_ranges.load().promise_shares]
        yield values(f"{POWER}.ups.bridge_minutes", options, ChangeTerms.PROMISE)


BY_RULE = {
    "busbar": (fewer_servers, peer_racks, cap_always),
    "rack_power": (fewer_servers, peer_racks, cap_always),
    "power_caps": (wider_caps,),
    "power_supplies": (further_feed, cap_after_loss, no_supply_lost, no_feed_lost),
    "power_shelves": (fewer_servers, peer_racks, cap_after_loss, cap_always, no_supply_lost, no_feed_lost),
    "ups_autonomy": (longer_batteries, more_ups, shorter_bridge),
}
