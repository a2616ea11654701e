"""The ports that a guest has on the leaves of another fabric, and which link gets which of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

End = tuple[int, int, int]
"""Device, index of its port, rate in Gb/s."""


@dataclass(frozen=True)
class GuestPlace:
    """One link of a guest, or a port that is kept free for it."""

    device: int
    port: int
    gbps: int
    leaf: int
    far: int
    """Index of the port on the leaf."""
    present: bool
    """False for a slot without a node."""
    purpose: str = ""
    """Of a reserved port."""


@dataclass
class LeafGroup:
    """Leaves that serve the same nodes."""

    rack: int
    """Rack of the unit, from 0; -1 for leaves of whole units or of all."""
    leaves: list[int] = field(default_factory=list)
    """Numbers in the roster."""
    first: dict[int, int] = field(default_factory=dict)
    """Index of the first port of the guest, by leaf."""
    taken: dict[int, int] = field(default_factory=dict)
    """Ports of the guest in use, by leaf."""

    def add(self, leaf: int, first: int) -> None:
        """Adds a leaf whose ports from index `first` on are the guest's."""
        self.leaves.append(leaf)
        self.first[leaf], self.taken[leaf] = first, 0


class GuestLeaves:
    """Ports of a guest's links, dealt in turn over the leaves of a group, so that the links of one node are on different leaves."""

    def __init__(
        self, groups: Mapping[tuple[str, int], Sequence[LeafGroup]], lanes: int, per_cage: int, ports: int
    ) -> None:
        self.groups = [group for racks in groups.values() for group in racks]
        self.first = {leaf: first for group in self.groups for leaf, first in group.first.items()}
        self.lanes, self.per_cage, self.room = lanes, per_cage, ports * lanes
        self.places: list[GuestPlace] = []
        self.reserved: list[GuestPlace] = []
        self.homeless = 0
        """Links and reserved ports that found no room."""

    @property
    def fullest(self) -> int:
        """Ports in use on the fullest leaf."""
        return max((count for group in self.groups for count in group.taken.values()), default=0)

    @property
    def ports_needed(self) -> int:
        """Ports, in whole cages, that every leaf needs for the links placed so far and those without room."""
        in_use = sum(count for group in self.groups for count in group.taken.values()) + self.homeless
        even = -(-in_use // max(len(self.first), 1))
        lanes = max(self.fullest, even, self.room + 1 if self.homeless else 0)
        ports = -(-lanes // self.lanes)
        return -(-ports // self.per_cage) * self.per_cage

    def place(self, group: LeafGroup, ends: Sequence[End], present: bool) -> None:
        """Places the links of a machine on the leaves of `group`, even beyond their room.

        The emptiest leaf first; a second link of a machine goes to another leaf if there is one.
        """
        used: set[int] = set()
        for device, port, gbps in ends:
            free = [leaf for leaf in group.leaves if leaf not in used] or group.leaves
            leaf = min(free, key=lambda member: group.taken[member])
            used.add(leaf)
            self.places.append(GuestPlace(device, port, gbps, leaf, self._next(group, leaf), present))

    def anywhere(self, ends: Sequence[End], present: bool) -> None:
        """Places the links of a machine on the leaves of the first group with room for all of them."""
        for group in self.groups:
            if self._room(group) >= len(ends):
                self.place(group, ends, present)
                return
        self.homeless += len(ends)

    def reserve(self, purpose: str, count: int) -> None:
        """Keeps `count` ports free, the first ones with room."""
        for number in range(count):
            group = next((group for group in self.groups if self._room(group)), None)
            if group is None:
                self.homeless += count - number
                return
            leaf = min(group.leaves, key=lambda member: group.taken[member])
            self.reserved.append(GuestPlace(-1, -1, 0, leaf, self._next(group, leaf), True, purpose))

    def by_rate(self) -> Iterator[list[GuestPlace]]:
        """The links, grouped by rate."""
        for gbps in dict.fromkeys(place.gbps for place in self.places):
            yield [place for place in self.places if place.gbps == gbps]

    def _room(self, group: LeafGroup) -> int:
        return sum(max(self.room - group.taken[leaf], 0) for leaf in group.leaves)

    def _next(self, group: LeafGroup, leaf: int) -> int:
        far = group.first[leaf] + group.taken[leaf]
        group.taken[leaf] += 1
        return far
