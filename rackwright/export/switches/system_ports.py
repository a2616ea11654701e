"""The ports of a switch as its own system calls and counts them."""

from __future__ import annotations

from collections.abc import Mapping

from rackwright.base.errors import Problem
from rackwright.export.switches.switch_config import SplitPort
from rackwright.model.port_spellings import port_ways, system_name
from rackwright.model.sku import Switch, SwitchSystem


def lanes(system: SwitchSystem, place: tuple[int, int], ways: int) -> tuple[int, ...]:
    """Lanes of the chip behind a port, from 0; none where the system does not count them."""
    number, lane = place
    width = system.lanes // ways
    first = (number - 1) * (system.lane_stride or system.lanes) + lane * width
    return tuple(range(first, first + width))


def splits(system: SwitchSystem, part: Switch, ports: Mapping[str, tuple[int, int]]) -> list[SplitPort]:
    """The whole ports behind `ports` (place by label), and into how many each is split."""
    ways = port_ways(ports)
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
