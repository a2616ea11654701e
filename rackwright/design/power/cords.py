"""The supplies of one rack and the feed of each.

The supplies of a device go to one feed after the other, starting one feed further for each device, so that feeds carry
equal load. Shelves alternate over the feeds too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rackwright.design.power.caps import Capped
from rackwright.model.plant import PowerShelf
from rackwright.model.sku import Psus


@dataclass(frozen=True)
class PowerSlot:
    """One device of a rack, or the place reserved for one."""

    peak: float
    design: float
    psus: Psus
    present: bool
    capped: Capped
    """What it draws and needs once a supply of it is out."""

    @property
    def on_busbar(self) -> bool:
        """True for a device without supplies of its own."""
        return self.psus.count == 0


@dataclass(frozen=True)
class Shelves:
    """The power shelves of a rack."""

    part: PowerShelf
    count: int


@dataclass(frozen=True)
class Cord:
    """One power supply; `psu` counts from 1."""

    group: int
    """Slot that it feeds; the first slot on the busbar for a rectifier."""
    slot: int
    """Slot that it is in, -1 in a shelf."""
    shelf: int
    """Shelf that it is in, from 0; -1 in a device."""
    psu: int
    watts: int
    feed: int


def list_cords(slots: Sequence[PowerSlot], shelves: Shelves | None, feeds: Sequence[int]) -> list[Cord]:
    """Every supply of a rack that `feeds` reach, including those of reserved slots."""
    device_cords = [
        Cord(at, at, -1, number + 1, slot.psus.watts_each, feeds[(at + number) % len(feeds)])
        for at, slot in enumerate(slots)
        for number in range(slot.psus.count)
    ]
    return device_cords + list(_rectifiers(slots, shelves, feeds))


def _rectifiers(slots: Sequence[PowerSlot], shelves: Shelves | None, feeds: Sequence[int]) -> Iterator[Cord]:
    busbar = busbar_of(slots)
    if shelves is None or busbar < 0:
        return
    for shelf in range(shelves.count):
        for number in range(shelves.part.psus):
            yield Cord(busbar, -1, shelf, number + 1, shelves.part.watts_each, feeds[shelf % len(feeds)])


def busbar_of(slots: Sequence[PowerSlot]) -> int:
    """The group that stands for the busbar: the first slot on it, -1 without one."""
    return next((at for at, slot in enumerate(slots) if slot.on_busbar), -1)


def group_loads(slots: Sequence[PowerSlot], watts: Sequence[float]) -> list[float]:
    """`watts` by slot, with everything on the busbar put to its group."""
    busbar = busbar_of(slots)
    loads = [0.0] * len(slots)
    for at, slot in enumerate(slots):
        loads[busbar if slot.on_busbar else at] += watts[at]
    return loads
