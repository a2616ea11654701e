"""Hangs hosts on leaves: node slots first, then control servers on the ports that are left.

`spread` is the one rule of both topologies: port p of a node in slot s goes to leaf p of its group, port s. With one
leaf per adapter that is rail-optimised; with two ports it is a pair of leaves with every node on both.
"""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.design import naming
from rackwright.design.population import Machine, Unit
from rackwright.design.topology.network import Member, Network, Wire


def spread(network: Network, unit: Unit, down: int) -> list[Member]:
    """Adds the leaves of `unit` and the wires of its slots; `down` host ports per leaf. Returns the new leaves."""
    role = network.fabric.role
    width = len(unit.machines[0].ports(role))
    groups = -(-len(unit.machines) // down)
    first = network.count("leaf") + 1
    leaves = [
        Member(naming.switch(network.fabric.name, "leaf", first + i), "leaf", unit.pool.name, unit.number, first + i)
        for i in range(groups * width)
    ]
    network.members += leaves
    used: dict[str, set[int]] = {leaf.name: set() for leaf in leaves}
    for machine in unit.machines:
        group, number = divmod(machine.slot, down)
        for position, (port, kind) in enumerate(machine.ports(role)):
            on = leaves[group * width + position].name
            far = network.port(number + 1)
            network.wires.append(Wire("node_leaf", machine.name, port, on, far, kind.gbps, machine.present))
            if machine.present:
                used[on].add(number + 1)
    for leaf in leaves:
        network.free[leaf.name] = [port for port in range(1, down + 1) if port not in used[leaf.name]]
    return leaves


def attach(network: Network, machines: Sequence[Machine], leaves: Sequence[Member], down: int, path: str) -> None:
    """Puts the ports of control servers on the highest free host ports of `leaves`, one leaf after the other."""
    role = network.fabric.role
    ports = [(machine.name, port, kind.gbps) for machine in machines for port, kind in machine.ports(role)]
    for number, (device, port, gbps) in enumerate(ports):
        leaf = leaves[number % len(leaves)].name
        if not network.free[leaf]:
            names = ", ".join(machine.name for machine in machines)
            raise network.refuse(
                f"more servers than ports: fabric {network.fabric.name} has no port left for {device} {port} on {leaf}",
                f"{len(ports)} free host ports for {names}, one after the other on {leaves[0].name} to {leaves[-1].name}",
                f"nodes and control servers fill all {down} host ports of {leaf}",
                "lower the count of the pool, or its scalable_unit so that the last unit has room",
                path,
            )
        far = network.port(network.free[leaf].pop())
        network.wires.append(Wire("node_leaf", device, port, leaf, far, gbps))


def home(units: Sequence[tuple[Unit, Sequence[Member]]], wanted: int, role: str, down: int) -> Sequence[Member]:
    """Leaves for `wanted` control ports: the last group of the first unit with room beside all its slots, else of the last.

    Slots fill group by group, so that the last group is the last to be full.
    """
    for unit, leaves in units:
        width = len(unit.machines[0].ports(role))
        room = len(leaves) // width * down - len(unit.machines)
        if -(-wanted // width) <= room:
            return leaves[-width:]
    unit, leaves = units[-1]
    return leaves[-len(unit.machines[0].ports(role)) :]
