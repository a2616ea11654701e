"""The rate of a link between two ports, the links that come out of one port, and the ports that a server shows once a port is split.

In the model because the checks of a site and the design must come to the same answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from rackwright.model.site import Site
from rackwright.model.sku import PortGroup, Server, ServerPort, Switch

INFINIBAND_PORTS = 254
"""Ports that a switch of InfiniBand can number: NodeInfo.NumPorts has 8 bits, and 255 is reserved (IBTA specification, volume 1; opensm, ib_types.h)."""
NUMBERED = re.compile(r"(.*?)(\d*)")
"""A device name and the number at its end."""


def lanes(port: PortGroup, gbps: int) -> int:
    """Number of links of `gbps` that one port gives: by a breakout of exactly that rate, or by the widest that can run slower; 0 if none can."""
    exact = [breakout for breakout in port.breakouts if breakout * gbps == port.gbps]
    slower = [breakout for breakout in port.breakouts if breakout * gbps < port.gbps] if gbps in port.rates else []
    return max([*exact, *slower], default=int(gbps == port.gbps))


def speeds(port: PortGroup) -> list[int]:
    """Every rate that a link of `port` can have, the highest first."""
    split = {port.gbps // breakout for breakout in port.breakouts if port.gbps % breakout == 0}
    return sorted({port.gbps, *split, *port.rates}, reverse=True)


def agree(gbps: int, rates: Sequence[int], port: PortGroup) -> int | None:
    """The highest rate that `port` and an end with `gbps` or one of its lower `rates` both support; None without one."""
    both = {gbps, *rates} & set(speeds(port))
    return max(both, default=None)


def lanes_per_port(ports: int, planes: int) -> int | None:
    """Number of lanes into which each of `ports` ports is split so that they divide evenly over `planes`; None if no number does."""
    if ports % planes == 0:
        return 1
    return planes // ports if planes % ports == 0 else None


def by_role(site: Site, pool: str, server: Server) -> dict[str, int]:
    """Role -> number of lanes into which each port of that role is split in `pool`.

    The ports of one rail are dealt over the planes of a compute fabric; of other roles all ports are.
    """
    planes = {fabric.role: fabric.planes for fabric in site.fabrics if not fabric.pools or pool in fabric.pools}
    lanes_by_role: dict[str, int] = {}
    for role, plane_count in planes.items():
        mine = [group for group in server.ports if group.role == role]
        dealt = mine[0].per_rail if mine and role == "compute" else sum(group.count for group in mine)
        lanes_by_role[role] = (lanes_per_port(dealt, plane_count) or 1) if dealt else 1
    return lanes_by_role


def split(server: Server, lanes_by_role: Mapping[str, int]) -> Server:
    """`server` as its operating system shows it once the ports of every role are split: each lane is a port of its own.

    A lane is a PCI function with a device of its own (NVIDIA, ConnectX-8 SuperNIC User Manual, Port Splitting Configurations:
    ``NUM_OF_PF``), and the kernel counts devices in the order in which it finds functions (Linux, drivers/infiniband/core/device.c,
    alloc_name): where mlx5_0 is split in two, its lanes are mlx5_0 and mlx5_1, and what was mlx5_1 is mlx5_2.
    """
    into = {name: lanes_by_role.get(group.role, 1) for group in server.ports for name in group.names}
    if max(into.values(), default=1) == 1:
        return server
    groups = [_split_group(group, lanes_by_role.get(group.role, 1), into) for group in server.ports]
    return server.model_copy(update={"ports": groups})


def _split_group(group: ServerPort, into: int, every: Mapping[str, int]) -> ServerPort:
    names = [_lane_name(name, lane, every) for name in group.names for lane in range(into)]
    if into == 1:
        return group.model_copy(update={"names": names})
    return group.model_copy(
        update={
            "names": names,
            "count": group.count * into,
            "gbps": group.gbps // into,
            "rates": [],
            "per_rail": group.per_rail * into,
            "per_cage": group.per_cage * into,
            "lanes": into,
        }
    )


def _lane_name(name: str, lane: int, every: Mapping[str, int]) -> str:
    """Name of lane `lane` of port `name`: its number grows by the extra lanes of all ports with lower numbers."""
    stem, number = _split_lane(name)
    if every[name] == 1 and number == "":
        return name
    further = sum(
        into - 1
        for neighbour, into in every.items()
        if into > 1 and _split_lane(neighbour)[0] == stem and int(_split_lane(neighbour)[1] or 0) < int(number or 0)
    )
    return f"{stem}{int(number or 0) + further + lane:0{len(number)}d}"


def _split_lane(name: str) -> tuple[str, str]:
    match = NUMBERED.fullmatch(name)
    assert match, "every text is a stem and no number at least"
    return match[1], match[2]


def port_names(site: Site, part: Server | Switch) -> frozenset[str]:
    """Every name that a port of `part` can have on `site`, unsplit or as lanes."""
    if isinstance(part, Switch):
        return frozenset(_switch_ports(part))
    ways: list[Mapping[str, int]] = [{}]
    ways += [by_role(site, pool.name, part) for pool in site.pools if pool.server == part.sku]
    return frozenset(name for way in ways for group in split(part, way).ports for name in group.names)


def _switch_ports(switch: Switch) -> Iterator[str]:
    first = 1
    for group in (switch.ports, switch.uplinks):
        if group:
            numbers = range(first, first + group.count)
            first += group.count
            into = {1, *group.breakouts}
            yield from (
                switch.lane_name(number, lane, way) for number in numbers for way in into for lane in range(way)
            )
    if switch.management_port:
        yield switch.management_port
