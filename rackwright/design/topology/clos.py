"""Wires leaves to spines and spines to cores: every switch has equally many links to every switch above it."""

from __future__ import annotations

from rackwright.design import naming
from rackwright.design.topology.network import Member, Network, Wire
from rackwright.design.topology.radix import Tiers


def raise_tiers(network: Network, plan: Tiers, down: int, up: int) -> None:
    """Adds the spines and cores of `plan` above the leaves of `network`."""
    leaves = [member for member in network.members if member.tier == "leaf"]
    spines = _members(network, "spine", plan.spines)
    cores = _members(network, "core", plan.cores)
    if not spines:
        return
    per_pod = plan.spines // plan.pods
    for pod in range(plan.pods):
        below = leaves[pod * plan.leaves_per_pod : (pod + 1) * plan.leaves_per_pod]
        _join(network, "leaf_spine", below, spines[pod * per_pod : (pod + 1) * per_pod], down, up, 0)
    if cores:
        _join_cores(network, spines, cores, per_pod)


def join_pair(network: Network, links: int, down: int) -> None:
    """Joins the only two leaves with `links` inter-switch links."""
    one, other = (member for member in network.members if member.tier == "leaf")
    for link in range(links):
        port = network.port(down + link + 1)
        network.wires.append(Wire("isl", one.name, port, other.name, port, network.switch.ports.gbps))


def _members(network: Network, tier: str, count: int) -> list[Member]:
    name = network.fabric.name
    members = [Member(naming.switch(name, tier, index), tier, "", 0, index) for index in range(1, count + 1)]
    network.members += members
    return members


def _join(
    network: Network, kind: str, below: list[Member], above: list[Member], first: int, up: int, offset: int
) -> None:
    """`up` links from each of `below`, on ports after `first`, dealt evenly over `above`, on ports after `offset`."""
    each = up // len(above)
    for row, low in enumerate(below):
        for column, high in enumerate(above):
            for link in range(each):
                near = network.port(first + column * each + link + 1)
                far = network.port(offset + row * each + link + 1)
                network.wires.append(Wire(kind, low.name, near, high.name, far, network.switch.ports.gbps))


def _join_cores(network: Network, spines: list[Member], cores: list[Member], per_pod: int) -> None:
    """Spine j of every pod hangs on the j-th group of cores."""
    half = network.switch.ports.count // 2
    size = len(cores) // per_pod
    for column in range(per_pod):
        _join(network, "spine_core", spines[column::per_pod], cores[column * size : (column + 1) * size], half, half, 0)
