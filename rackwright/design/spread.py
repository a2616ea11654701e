"""Devices that are placed apart from their peers, so that one rack, row or hall never takes all of them.

Fabrics that survive the loss of a rack, row or hall have every other switch of a tier in racks of its own, counted within plane, pool and unit, and
every third where two racks may be lost; machines of a role on control servers alternate alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from rackwright.design.population import Population
from rackwright.design.topology import Network
from rackwright.model.fabric import Fabric
from rackwright.model.site import Site


class Numbered(Protocol):
    """A device with its number in the roster."""

    @property
    def id(self) -> int:
        """Number in the roster."""
        ...


D = TypeVar("D", bound=Numbered)


def parts(networks: Sequence[Network], population: Population) -> Mapping[int, int]:
    """Device number -> the part (from 1) that is placed apart; devices that may be anywhere are left out."""
    some = [network for network in networks if _apart(network.fabric)]
    groups: dict[tuple[object, ...], list[int]] = {}
    shares: dict[tuple[object, ...], int] = {}
    for network in some:
        for member in network.members:
            key = (network.fabric.name, member.tier, member.plane, member.pool, member.unit)
            groups.setdefault(key, []).append(member.id)
            shares[key] = _apart(network.fabric)
    for machine in population.control if some else ():
        groups.setdefault((machine.role,), []).append(machine.id)
        shares[machine.role,] = max(_apart(network.fabric) for network in some)
    return {
        number: part
        for key, group in groups.items()
        for part in range(1, shares[key] + 1)
        for number in group[part :: shares[key] + 1]
    }


def dealt(devices: Iterable[D], part_of: Mapping[int, int]) -> list[list[D]]:
    """The devices that may be anywhere, then those of every part."""
    result: list[list[D]] = [[] for _ in range(max(part_of.values(), default=0) + 1)]
    for device in devices:
        result[part_of.get(device.id, 0)].append(device)
    return result


def beyond_racks(site: Site) -> bool:
    """Whether a fabric survives the loss of a row or a hall."""
    return any(fabric.survive and (fabric.survive.rows or fabric.survive.halls) for fabric in site.fabrics)


def _apart(fabric: Fabric) -> int:
    """Number of parts that are placed apart from the first."""
    losses = fabric.survive
    return max(losses.racks, losses.rows, losses.halls) if losses else 0
