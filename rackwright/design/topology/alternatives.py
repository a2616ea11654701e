"""Alternatives for a fabric that cannot be connected as declared: the nearest changes, each one actually built."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from rackwright.base.errors import ProblemsError
from rackwright.catalog import Catalog
from rackwright.design import population
from rackwright.design.population import Population
from rackwright.design.topology.network import Network, UnconnectedError
from rackwright.design.topology.radix import MOST_TIERS
from rackwright.model import lanes
from rackwright.model.fabric import Fabric
from rackwright.model.site import Site
from rackwright.model.sku import Switch

Attempt = Callable[[Site, Catalog, Population, int], Network]
PLANES = (2, 4, 8)
DIRECT = ("collapsed-core", "full-mesh", "dragonfly", "dragonfly-plus")
RATIOS = ((4, 3), (3, 2), (5, 3), (2, 1), (5, 2), (3, 1), (4, 1), (5, 1), (6, 1), (8, 1))
"""Common oversubscriptions, the lowest first."""


def name_alternatives(
    error: UnconnectedError, site: Site, catalog: Catalog, at: int, attempt: Attempt
) -> ProblemsError:
    """`error` with the alternatives as its next step; unchanged where none can be built."""

    def built(changed: Site) -> Network | None:
        try:
            return attempt(changed, catalog, population.populate(changed, catalog), at)
        except ProblemsError:
            return None

    suggestions = list(_alternatives(site, catalog, at, built))
    if not suggestions:
        return error
    step = "one of: " + "; ".join(suggestions)
    return ProblemsError([replace(problem, next_step=step) for problem in error.problems])


def _alternatives(site: Site, catalog: Catalog, at: int, built: Callable[[Site], Network | None]) -> Iterator[str]:
    fabric = site.fabrics[at]
    yield from _first(_tiers(fabric), site, at, built)
    yield from _first(_planes(fabric, site, catalog), site, at, built)
    yield from _first(_switches(fabric, catalog), site, at, built)
    yield from _first(_ratios(fabric), site, at, built)
    yield from _first(_topologies(fabric), site, at, built)
    yield from _fewer_units(site, at, built)


def _first(
    changes: Iterable[dict[str, Any]], site: Site, at: int, built: Callable[[Site], Network | None]
) -> Iterator[str]:
    """The first of `changes` that can be built, with its switch counts, as a sentence; nothing if none can."""
    for change in changes:
        network = built(_changed_site(site, at, change))
        if network is not None:
            words = ", ".join(f"{key}: {value}" for key, value in change.items())
            yield f"{words} ({_counts(network)})"
            return


def _changed_site(site: Site, at: int, change: dict[str, Any]) -> Site:
    fabrics = list(site.fabrics)
    fabrics[at] = fabrics[at].model_copy(update=change)
    return site.model_copy(update={"fabrics": fabrics})


def _counts(network: Network) -> str:
    words = {"leaf": "leaves", "spine": "spines", "core": "cores"}
    counts = {tier: network.count(tier) for tier in words}
    return ", ".join(f"{count} {words[tier] if count > 1 else tier}" for tier, count in counts.items() if count)


def _tiers(fabric: Fabric) -> Iterator[dict[str, Any]]:
    for tiers in range((fabric.tiers or MOST_TIERS) + 1, MOST_TIERS + 1):
        yield {"tiers": tiers}


def _planes(fabric: Fabric, site: Site, catalog: Catalog) -> Iterator[dict[str, Any]]:
    """Planes over which the adapters of every pool can be dealt, with lanes at a rate that the switch runs.

    Not for in-band ports, which are bonded: a bond does not span networks without a common switch.
    """
    for planes in PLANES if fabric.role != "inband" else ():
        if planes > fabric.planes and all(
            _splits(pool.server, fabric, planes, catalog)
            for pool in site.pools
            if not fabric.pools or pool.name in fabric.pools
        ):
            yield {"planes": planes}


def _splits(sku: str, fabric: Fabric, planes: int, catalog: Catalog) -> bool:
    switch = catalog.switches[fabric.switch]
    for group in catalog.servers[sku].ports:
        if group.role == fabric.role:
            split = lanes.lanes_per_port(group.per_rail if fabric.role == "compute" else group.count, planes)
            if not split or not catalog.splits(group, split) or not lanes.lanes(switch.ports, group.gbps // split):
                return False
    return True


def _switches(fabric: Fabric, catalog: Catalog) -> Iterator[dict[str, Any]]:
    """Switches of the same transport and rate with more ports, those with fewest first."""
    now = catalog.switches[fabric.switch]

    def capacity(switch: Switch) -> int:
        return switch.ports.count * switch.ports.gbps

    larger = [
        switch
        for switch in catalog.switches.values()
        if switch.transport == now.transport
        and capacity(switch) > capacity(now)
        and switch.ports.gbps >= now.ports.gbps
        and bool(switch.uplinks) == bool(now.uplinks)
        and not switch.fabric_element
    ]
    for switch in sorted(larger, key=lambda candidate: (capacity(candidate), candidate.sku)):
        yield {"switch": switch.sku}


def _topologies(fabric: Fabric) -> Iterator[dict[str, Any]]:
    """Leaves and spines scale further than topologies that join all switches directly."""
    if fabric.topology in DIRECT:
        yield {"topology": "leaf-spine"}


def _ratios(fabric: Fabric) -> Iterator[dict[str, Any]]:
    for over, under in RATIOS:
        if over / under > fabric.oversubscription:
            yield {"oversubscription": round(over / under, 2)}


def _fewer_units(site: Site, at: int, built: Callable[[Site], Network | None]) -> Iterator[str]:
    """The most scalable units of the largest pool that can be connected, by bisection."""
    fabric = site.fabrics[at]
    mine = [pool for pool in site.pools if not fabric.pools or pool.name in fabric.pools]
    if not mine:
        return
    largest = max(mine, key=lambda pool: pool.count)
    number = site.pools.index(largest)
    low, high = 0, population.unit_count(largest)
    network = None
    while high - low > 1:
        middle = (low + high) // 2
        pools = list(site.pools)
        pools[number] = largest.model_copy(update={"count": middle * largest.scalable_unit})
        candidate = built(site.model_copy(update={"pools": pools}))
        low, high, network = (middle, high, candidate) if candidate else (low, middle, network)
    if network:
        count = low * largest.scalable_unit
        yield f"{low} scalable units of {largest.name}, {count} nodes ({_counts(network)})"
