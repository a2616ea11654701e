"""Which devices stand apart from their likes, so that one rack, row or hall never takes all of them.

Fabrics that survive the loss of a rack, row or hall have every other switch of a tier in racks of its own, counted within plane, pool and unit;
machines of a role on control servers alternate alike.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
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


def second_half(networks: Sequence[Network], population: Population) -> frozenset[int]:
    """Numbers of the devices that stand apart from the others; empty where no fabric declares it."""
    some = [network for network in networks if _declared(network.fabric)]
    if not some:
        return frozenset()
    groups: dict[tuple[object, ...], list[int]] = {}
    for network in some:
        for member in network.members:
            key = (network.fabric.name, member.tier, member.plane, member.pool, member.unit)
            groups.setdefault(key, []).append(member.id)
    for machine in population.control:
        groups.setdefault((machine.role,), []).append(machine.id)
    return frozenset(number for group in groups.values() for number in group[1::2])


def halves(devices: Iterable[D], apart: Collection[int]) -> tuple[list[D], list[D]]:
    """The devices that stand anywhere, and those that stand apart."""
    every = list(devices)
    return [device for device in every if device.id not in apart], [device for device in every if device.id in apart]


def beyond_racks(site: Site) -> bool:
    """Whether a fabric survives the loss of a row or a hall."""
    return any(fabric.survive and (fabric.survive.rows or fabric.survive.halls) for fabric in site.fabrics)


def _declared(fabric: Fabric) -> bool:
    losses = fabric.survive
    return losses is not None and bool(losses.racks or losses.rows or losses.halls)
