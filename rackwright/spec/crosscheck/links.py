"""Rates: whether the two ends of every link of a fabric can agree on one, through breakouts, lanes and planes."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model import lanes
from rackwright.model.fabric import Fabric
from rackwright.model.site import Site
from rackwright.model.sku import PortGroup, Server, ServerPort, Switch
from rackwright.spec.crosscheck.problem import problem

MOST_PLANES = 8
"""As the site file allows."""


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Every fabric: nodes with leaves, and leaves with the switches above them."""
    for i, fabric in enumerate(site.fabrics):
        switch = catalog.switches.get(fabric.switch)
        if switch is None or fabric.topology == "nvlink":
            continue
        for pool in site.pools:
            server = catalog.servers.get(pool.server)
            if server and (not fabric.pools or pool.name in fabric.pools):
                yield from _hosts(f"fabrics[{i}]", fabric, server, pool.name, catalog)
        yield from _switch_link_problems(f"fabrics[{i}]", fabric, switch, catalog)


def _hosts(path: str, fabric: Fabric, server: Server, pool: str, catalog: Catalog) -> Iterator[Problem]:
    mine = [group for group in server.ports if group.role == fabric.role]
    if not mine and fabric.pools:
        message = f"{server.sku} has no {fabric.role} ports for {fabric.name}"
        roles = "ports of role " + ", ".join(dict.fromkeys(group.role for group in server.ports))
        expected, step = f"ports of role {fabric.role}", f"take {pool} out of pools"
        yield problem(f"{path}.pools", "no_ports", message, expected, roles, step)
    count = sum(group.count for group in mine)
    for group in mine:
        dealt = group.per_rail if fabric.role == "compute" else count
        split = lanes.lanes_per_port(dealt, fabric.planes)
        if split is None or group.gbps % split:
            yield _undealt_ports(path, fabric, server, dealt, group)
        elif not catalog.splits(group, split):
            yield _unsplit_ports(path, fabric, server, group, split, catalog)
        else:
            yield from _speed(path, catalog.switches[fabric.switch], server, group, split)


def _undealt_ports(path: str, fabric: Fabric, server: Server, dealt: int, group: ServerPort) -> Problem:
    able = [
        planes
        for planes in range(1, MOST_PLANES + 1)
        if group.gbps % (lanes.lanes_per_port(dealt, planes) or group.gbps + 1) == 0
    ]
    what = "an adapter" if fabric.role == "compute" else "a node"
    return problem(
        f"{path}.planes",
        "uneven_planes",
        f"the {fabric.role} ports of {server.sku} cannot be dealt evenly over {fabric.planes} planes",
        f"one of {', '.join(map(str, able))} planes",
        f"{dealt} x {group.gbps} Gb/s for {what}, and {fabric.planes} planes",
        f"set planes to {max(planes for planes in able if planes < fabric.planes)}",
    )


def _unsplit_ports(
    path: str, fabric: Fabric, server: Server, group: ServerPort, split: int, catalog: Catalog
) -> Problem:
    able = sorted(part.model for part in catalog.nics.values() if split in part.breakouts)
    return problem(
        f"{path}.planes",
        "adapter_not_split",
        f"no way is published to split a port of {group.adapter}, the {fabric.role} adapter of {server.sku}, into {split} lanes",
        f"an adapter whose ports can be {split} lanes, such as {', '.join(able)}",
        f"{group.adapter}, and {fabric.planes} planes for {group.per_rail} x {group.gbps} Gb/s of a rail",
        f"set planes to {group.per_rail}, choose a server with such an adapter, or declare its breakouts in parts with their source",
    )


def _speed(path: str, switch: Switch, server: Server, group: ServerPort, split: int) -> Iterator[Problem]:
    gbps = group.gbps // split
    slower = group.rates if split == 1 else []
    if lanes.agree(gbps, slower, switch.ports) is not None:
        return
    ports = f"{switch.ports.gbps} Gb/s" if len(lanes.speeds(switch.ports)) == 1 else _rate_list(switch.ports)
    lane = f", a lane of {group.gbps} Gb/s" if split > 1 else ""
    yield problem(
        f"{path}.switch",
        "wrong_speed",
        f"{server.sku} and {switch.sku} have ports of different speed",
        f"{gbps} Gb/s, as {server.sku} has{lane}",
        ports,
        f"choose a switch with ports of {gbps} Gb/s",
    )


def _rate_list(ports: PortGroup) -> str:
    """``800, 400 or 200 Gb/s``."""
    speeds = [str(speed) for speed in lanes.speeds(ports)]
    return f"{', '.join(speeds[:-1])} or {speeds[-1]} Gb/s"


def _switch_link_problems(path: str, fabric: Fabric, switch: Switch, catalog: Catalog) -> Iterator[Problem]:
    """Links between switches: at the declared rate, else at one that all of them run."""
    lower = switch.uplinks if switch.uplinks and fabric.topology != "management" else switch.ports
    above = {
        field: catalog.switches[sku]
        for field, sku in (("spine_switch", fabric.spine_switch), ("core_switch", fabric.core_switch))
        if sku and sku in catalog.switches
    }
    link_gbps = fabric.link_gbps
    if link_gbps and not lanes.lanes(lower, link_gbps):
        yield _rate_problem(f"{path}.link_gbps", fabric, switch.sku, lower, link_gbps)
    for field, part in above.items():
        rate = link_gbps if link_gbps and lanes.lanes(lower, link_gbps) else None
        if rate and not lanes.lanes(part.ports, rate):
            yield _rate_problem(f"{path}.{field}", fabric, part.sku, part.ports, rate)
        elif not link_gbps and not set(lanes.speeds(lower)) & set(lanes.speeds(part.ports)):
            yield problem(
                f"{path}.{field}",
                "wrong_speed",
                f"{switch.sku} and {part.sku} have ports of different speed",
                f"a rate that {switch.sku} runs: {_rate_list(lower) if len(lanes.speeds(lower)) > 1 else lower.gbps}",
                f"{part.sku} with {part.ports.gbps} Gb/s",
                "choose switches that share a rate",
            )


def _rate_problem(where: str, fabric: Fabric, sku: str, ports: PortGroup, gbps: int) -> Problem:
    speeds = lanes.speeds(ports)
    return problem(
        where,
        "wrong_speed",
        f"{sku} has no links of {gbps} Gb/s between the switches of {fabric.name}",
        "one of " + ", ".join(f"{speed} Gb/s" for speed in speeds),
        f"{gbps} Gb/s",
        f"set link_gbps to {speeds[0]}, or choose a switch that runs {gbps} Gb/s",
    )
