"""Addresses of the building plant on the BMC network: CDUs, rack PDUs and power shelves, below the switches, counting down.

Separate from hosts and switches, because plant has no ports in the roster. Racks reserved for growth count as well, so that growth moves
nothing: CDUs take whole blocks, then the first PDU of every feed and rack, then the second ones; a power shelf stands in the place of a PDU.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from rackwright.base.errors import Problem, ProblemsError
from rackwright.design.addressing.blocks import AddressPlan, Room
from rackwright.design.addressing.standing_addresses import StandingAddresses, downwards

BLOCK = 16
"""CDUs get whole blocks, so that one more of them moves no PDU."""

Pdu = tuple[str, int, int]
"""Name, feed from 0, and its number from 1 among the PDUs and power shelves of its rack and feed."""


def with_plant(
    plan: AddressPlan,
    cdus: Sequence[str],
    pdus: Mapping[str, Sequence[Pdu]],
    feeds: int,
    standing: StandingAddresses,
) -> AddressPlan:
    """`plan` with offsets for `cdus` and for `pdus` by rack, including racks without any, those of `standing` as they are.

    Raises `ProblemsError` when no network exists for them, or when it is too small.
    """
    if not cdus and not any(pdus.values()):
        return plan
    if plan.room is None:
        raise ProblemsError([_no_subnet_problem()])
    endpoints = [
        *((name, place) for place, name in enumerate(cdus)),
        *_pdus(pdus, feeds, -(-len(cdus) // BLOCK) * BLOCK),
    ]
    highest, names = plan.room.highest, [name for name, _ in endpoints]
    planned = highest - np.array([place for _, place in endpoints], dtype=np.int64)
    offsets = standing.deal(plan.room.net, names, planned, downwards(highest))
    addresses = tuple(zip(names, offsets.tolist(), strict=True))
    lowest = min(offset for _, offset in addresses)
    if lowest <= plan.room.lowest:
        raise ProblemsError([_too_small(plan.room, plan.room.lowest - lowest + 1)])
    return replace(plan, plant=addresses)


def _pdus(pdus: Mapping[str, Sequence[Pdu]], feeds: int, first: int) -> Iterator[tuple[str, int]]:
    for at, rack_pdus in enumerate(pdus.values()):
        for name, feed, number in rack_pdus:
            yield name, first + ((number - 1) * len(pdus) + at) * feeds + feed


def _no_subnet_problem() -> Problem:
    return Problem(
        place="site",
        path="fabrics",
        message="PDUs, power shelves or CDUs answer to redfish, and there is no network for them",
        expected="a fabric with role bmc and a subnet",
        found="none",
        next_step="add the subnet, or set management of facility.power and facility.liquid to none",
        code="design.no_plant_network",
    )


def _too_small(room: Room, missing: int) -> Problem:
    subnet = room.net.subnet
    assert subnet is not None, "the room of a network is that of its subnet"
    needed = subnet.num_addresses - 2 + missing
    return Problem(
        place="site",
        path=f"{room.path}.subnet",
        message=f"the subnet of {room.net.name} is too small for the PDUs, power shelves and CDUs of the site",
        expected=f"{needed} host addresses, those kept for growth included",
        found=str(subnet),
        next_step=f"use a /{32 - (needed + 1).bit_length()} or larger",
        code="design.subnet_full",
    )
