"""The parts of a fabric that share no switch: its planes, and its rails where every rail is a fabric of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rackwright.design.population import Machine, Unit
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

    def part(self, whole: int) -> int:
        """The share of `whole` things that this slice has when they are dealt in turn."""
        return len(range(self.share, whole, self.of))


def slices(network: Network, units: Sequence[Unit], control: Sequence[Machine]) -> Iterator[Slice]:
    """The slices of `network` in order of plane and rail; none without nodes."""
    links = {unit.pool.name: hosts.links(network, unit) for unit in units}
    split = network.fabric.rail_planes
    keys = sorted({(one.plane, one.rail if split else UNSET) for found in links.values() for one in found})
    ends = _ends(network, control, len(keys))
    for share, (plane, rail) in enumerate(keys):
        mine = {
            pool: [one for one in found if one.plane == plane and (not split or one.rail == rail)]
            for pool, found in links.items()
        }
        fastest = max(one.gbps for found in mine.values() for one in found)
        yield Slice(plane, rail, mine, ends[share], share, len(keys), fastest)


def _ends(network: Network, control: Sequence[Machine], count: int) -> list[list[End]]:
    """Ports of control servers in turn over the slices, so that each of them is reached."""
    dealt: list[list[End]] = [[] for _ in range(count)]
    if not count:
        return dealt
    turn = 0
    for machine in control:
        for index in network.roster.ports[machine.id].of_role(network.fabric.role):
            dealt[turn % count].append((machine.id, index))
            turn += 1
    return dealt
