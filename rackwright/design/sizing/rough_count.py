"""The racks and switches of a site before its building is known."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from rackwright.catalog import Catalog
from rackwright.design import placement, population, topology
from rackwright.design.addressing.nets import Net, rails
from rackwright.design.addressing.slots import slots
from rackwright.design.population import Population
from rackwright.design.topology import Network
from rackwright.design.topology.build import members
from rackwright.model.site import Site


@dataclass(frozen=True)
class Rough:
    """Counts of a site before its building is known."""

    rack_watts: tuple[int, ...]
    """Peak of every rack place, absent nodes counted as present."""
    unit_racks: int
    """Places of one scalable unit with its switches."""
    addresses: dict[str, tuple[int, int]]
    """By fabric: networks, and addresses of the largest."""


def rough_counts(site: Site, catalog: Catalog) -> Rough:
    """Counts of `site`. Raises what the design raises."""
    everyone = population.populate(site, catalog)
    _, networks = topology.build_all(site, catalog, everyone)
    layout = placement.place_devices(site, catalog, everyone, networks)
    watts: dict[str, int] = defaultdict(int)
    for device in layout.devices:
        watts[device.rack] += device.part.peak_watts
    of_units = sum(kind in ("compute", "fabric") for kind in layout.kinds.values())
    units = population.unit_count(site.pools[0])
    return Rough(
        rack_watts=tuple(watts[name] for name in layout.places),
        unit_racks=max(1, of_units // units),
        addresses={network.fabric.name: _addresses(network, networks, everyone) for network in networks},
    )


def _addresses(network: Network, networks: list[Network], everyone: Population) -> tuple[int, int]:
    units, control = members(network.fabric, everyone)
    keys = rails(network)
    name = network.fabric.name
    highest = max(slots(network, Net(name, name, rail, plane), units, control).highest for plane, rail in keys)
    switches = sum(len(switch_network.members) for switch_network in networks) if network.fabric.role == "bmc" else 0
    return len(keys), highest + switches
