"""The ports of a switch as its own system calls and counts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from rackwright.base.errors import Problem
from rackwright.export.switches.switch_config import SplitPort
from rackwright.model.sku import Switch, SwitchSystem


class PortNumbers:
    """Number and lane of every port of one SKU, by the name that the design gives it."""

    def __init__(self, part: Switch) -> None:
        count = part.ports.count + (part.uplinks.count if part.uplinks else 0)
        splits = sorted({*part.ports.breakouts, *(part.uplinks.breakouts if part.uplinks else [])})
        self._lanes = [
            (number, [part.lane_name(number, lane, ways) for lane in range(ways)])
            for number in range(1, count + 1)
            for ways in reversed(splits)
        ]

    def places(self, labels: Collection[str]) -> dict[str, tuple[int, int]]:
        """Number (from 1) and lane (from 0) of each of `labels`, which are all ports of one switch.

        All are needed because a port is split into as many as it has names: the first half is called as the first quarter on Arista EOS.
        """
        unplaced, places = set(labels), dict.fromkeys(labels, (0, 0))
        for number, names in self._lanes:
            if unplaced.issuperset(names):
                places |= {name: (number, lane) for lane, name in enumerate(names)}
                unplaced -= set(names)
        return places


def system_name(system: SwitchSystem, part: Switch, label: str, place: tuple[int, int], ways: int) -> str:
    """What `system` calls the port of `part` that the design calls `label`."""
    pattern = system.split_port_name if ways > 1 and system.split_port_name else system.port_name
    if not pattern:
        return label
    number, lane = place
    first = lane * (system.lanes // ways)
    cage, at = divmod(number - 1, part.ports.per_cage)
    serial = (number - 1) * system.lanes + first
    return pattern.format(number=number, lane=first + 1, serial=serial, cage=cage + 1, place=at + 1)


def lanes(system: SwitchSystem, place: tuple[int, int], ways: int) -> tuple[int, ...]:
    """Lanes of the chip behind a port, from 0; none where the system does not count them."""
    number, lane = place
    width = system.lanes // ways
    first = (number - 1) * (system.lane_stride or system.lanes) + lane * width
    return tuple(range(first, first + width))


def splits(system: SwitchSystem, part: Switch, ports: Mapping[str, tuple[int, int]]) -> list[SplitPort]:
    """The whole ports behind `ports` (place by label), and into how many each is split."""
    ways = Counter(number for number, _ in ports.values())
    return [
        SplitPort(
            number,
            system_name(system, part, part.lane_name(number, 0, 1), (number, 0), 1),
            part.lane_name(number, 0, 1),
            count,
            system.breakouts.get(count, ""),
        )
        for number, count in sorted(ways.items())
    ]


def refused_splits(device: str, sku: str, system: SwitchSystem, splits_: list[SplitPort]) -> list[Problem]:
    """One problem per sort of split that the hardware does not do under its system."""
    if not system.breakouts:
        return []
    wrong: dict[int, SplitPort] = {}
    for split in splits_:
        if split.ways not in system.breakouts:
            wrong.setdefault(split.ways, split)
    return [
        Problem(
            place="export to switches",
            path=f"{device} {split.label}",
            message=f"{system.name} cannot split this port of {sku} into {ways}",
            expected=f"a split into {' or '.join(map(str, system.breakouts))}",
            found=str(ways),
            next_step="name another switch_system or another switch SKU for the fabric",
            code="export.switch_breakout",
        )
        for ways, split in wrong.items()
    ]
