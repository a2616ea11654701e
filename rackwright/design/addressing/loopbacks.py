"""Loopbacks of routed switches: one /32 each, in the part of the range that belongs to their tier, so that growth moves none.

Leaves count up in the first half, spines in the third quarter, cores in the last.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

import numpy as np

from rackwright.base.errors import Problem, ProblemsError
from rackwright.design.addressing.nets import Net
from rackwright.design.addressing.slots import LOOPBACK
from rackwright.design.addressing.standing_addresses import Offsets, StandingAddresses
from rackwright.design.ports import Ints
from rackwright.design.topology import Network

PARTS = {"leaf": (0, 2), "spine": (2, 3), "core": (3, 4)}
"""First and last quarter of the range, by tier."""


def blocks(
    network: Network, every: list[Net], standing: StandingAddresses
) -> Iterator[tuple[Net, Ints, Ints, Offsets]]:
    """The loopbacks of a fabric that declares a range for them, those of `standing` as they are; its network is added to `every`."""
    declared = network.fabric.loopbacks
    if declared is None:
        return
    subnet = ipaddress.IPv4Network(declared)
    net = Net(f"{network.fabric.name}-loopback", network.fabric.name, subnet=subnet)
    every.append(net)
    quarter = subnet.num_addresses // 4
    for tier, (start, end) in PARTS.items():
        members = network.of_tier(tier)
        if len(members) > (end - start) * quarter - (start == 0):
            raise ProblemsError([_subnet_full_problem(network, subnet, tier, len(members))])
        if members:
            device = np.array([member.id for member in members], dtype=np.int32)
            planned = start * quarter + (start == 0) + np.arange(len(members), dtype=np.int64)
            free = range(start * quarter + (start == 0), end * quarter)
            offset = standing.deal(net, [member.name for member in members], planned, free)
            yield net, device, np.full(len(members), LOOPBACK, dtype=np.int32), offset


def _subnet_full_problem(network: Network, subnet: ipaddress.IPv4Network, tier: str, count: int) -> Problem:
    return Problem(
        place="site",
        path=f"{network.path}.loopbacks",
        message=f"the loopback range of {network.fabric.name} is too small",
        expected=f"room for {count} switches of tier {tier} in their part of the range",
        found=str(subnet),
        next_step=f"use a /{max(subnet.prefixlen - 1, 8)} or larger",
        code="design.subnet_full",
    )
