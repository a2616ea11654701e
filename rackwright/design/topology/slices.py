"""The parts of a fabric without common switches: its planes, and its rails where every rail is a fabric of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rackwright.design.population import MachineSlot, ScalableUnit
from rackwright.design.topology import hosts
from rackwright.design.topology.hosts import HostLink
from rackwright.design.topology.network import UNSET, Network

End = tuple[int, int]
"""Device and port index."""


@dataclass(frozen=True)
class Slice:
    """One plane, or one rail of a plane, complete in itself."""

    plane: int
    rail: int
    links: Mapping[str, Sequence[HostLink]]
    """Links of a node of every pool."""
    control: Sequence[End]
    """Ports of control servers."""
    share: int
    """Which slice this is, from 0."""
    of: int
    """Slices in all."""
    gbps: int
    """Rate of the fastest host link."""

    def part(self, total: int) -> int:
        """The share of `total` objects that this slice gets when they are dealt in turn."""
        return len(range(self.share, total, self.of))


def slices(network: Network, units: Sequence[ScalableUnit], control: Sequence[MachineSlot]) -> Iterator[Slice]:
    """The slices of `network` in order of plane and rail; none without nodes."""
    links = {unit.pool.name: hosts.links(network, unit) for unit in units}
    split = network.fabric.rail_planes
    keys = sorted({(link.plane, link.rail if split else UNSET) for pool_links in links.values() for link in pool_links})
    ends = _ends(network, control, len(keys))
    for share, (plane, rail) in enumerate(keys):
        mine = {
            pool: [link for link in pool_links if link.plane == plane and (not split or link.rail == rail)]
            for pool, pool_links in links.items()
        }
        fastest = max(link.gbps for pool_links in mine.values() for link in pool_links)
        yield Slice(plane, rail, mine, ends[share], share, len(keys), fastest)


def _ends(network: Network, control: Sequence[MachineSlot], count: int) -> list[list[End]]:
    """Ports of control servers by slice, dealt in turn so that every slice gets some."""
    dealt: list[list[End]] = [[] for _ in range(count)]
    if not count:
        return dealt
    turn = 0
    for machine in control:
        for index in network.roster.ports[machine.id].of_role(network.fabric.role):
            dealt[turn % count].append((machine.id, index))
            turn += 1
    return dealt
