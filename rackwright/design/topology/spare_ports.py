"""Host ports that no slot needs: control servers use them, and reserved ports are kept free there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rackwright.base.errors import ProblemsError
from rackwright.design.topology.hosts import NodeGroup
from rackwright.design.topology.network import FabricSwitch, Network
from rackwright.design.topology.slices import End, Slice

Hung = list[tuple[NodeGroup, list[FabricSwitch]]]
"""Groups of nodes with the leaves that connect them."""
NAMED = 4
"""Servers that a message names individually."""


def occupy(network: Network, hung: Hung, slice_: Slice, width: int, path: str) -> None:
    """Puts the control servers of the slice on leaves of `hung`, then keeps its share of the reserved ports free.

    `width`: leaves that serve a group of nodes in parallel; `path`: the field whose value decides how many ports remain.
    """
    if slice_.control and hung:
        attach(network, slice_.control, leaves_with_room(network, hung, len(slice_.control), width), path)
    if hung:
        reserve(network, [leaf for _, leaves in hung for leaf in leaves], slice_, width)


def attach(network: Network, ends: Sequence[End], leaves: Sequence[FabricSwitch], path: str) -> None:
    """Puts the ports of control servers on the highest free host ports of `leaves`, one leaf after the other."""
    roster = network.roster
    for number, (device, index) in enumerate(ends):
        leaf = leaves[number % len(leaves)]
        far = network.take(leaf.id)
        port = roster.ports[device].ports[index]
        if far is None:
            raise _too_many(network, ends, leaves, number, path)
        if device in network.managers:
            network.quiet.setdefault(leaf.id, set()).add(far)
        gbps = min(port.gbps, roster.ports[leaf.id].ports[far].gbps)
        network.wire("node_leaf", gbps, [(device, index, leaf.id, far)], leaf.plane)


def _too_many(
    network: Network, ends: Sequence[End], leaves: Sequence[FabricSwitch], number: int, path: str
) -> ProblemsError:
    """The error for port `number` of `ends`, whose leaf is full."""
    roster, (device, index), leaf = network.roster, ends[number], leaves[number % len(leaves)]
    names = list(dict.fromkeys(roster.names[device_number] for device_number, _ in ends))
    servers = ", ".join(names) if len(names) <= NAMED else f"{names[0]} to {names[-1]}"
    where = leaves[0].name if len(leaves) == 1 else f"{leaves[0].name} to {leaves[-1].name}, one after the other"
    down = len(network.occupied[leaf.id])
    return network.refuse(
        f"more servers than ports: fabric {network.fabric.name} has no port left for "
        f"{roster.names[device]} {roster.ports[device].ports[index].name} on {leaf.name}",
        f"{len(ends)} free host port{'' if len(ends) == 1 else 's'} for {servers} on {where}",
        f"nodes and control servers fill {'the only host port' if down == 1 else f'all {down} host ports'} of {leaf.name}",
        "lower the count of the pool, or its scalable_unit so that the last unit has room; or have fewer control servers",
        path,
    )


def leaves_with_room(network: Network, hung: Hung, ports_needed: int, width: int) -> Sequence[FabricSwitch]:
    """Leaves for `ports_needed` control ports: the last `width` of the first group with room beside its slots, else of the last.

    Slots fill leaf by leaf, so the last leaves are the last to be full.
    """
    for _, leaves in hung:
        last = leaves[-width:]
        if min(_beside(network, leaf) for leaf in last) * len(last) >= ports_needed:
            return last
    return hung[-1][1][-width:]


def _beside(network: Network, leaf: FabricSwitch) -> int:
    return int((~(network.slots[leaf.id] | network.occupied[leaf.id])).sum())


def reserve(network: Network, leaves: Sequence[FabricSwitch], slice_: Slice, width: int) -> None:
    """Keeps ports free, in turn over the last `width` leaves with room, then over those before them."""
    declared = [(purpose, count) for purpose, count in network.fabric.reserved if count]
    slice_share = [(purpose, slice_.part(count)) for purpose, count in declared]
    room = sum(int((~network.occupied[leaf.id]).sum()) for leaf in leaves)
    purposes = [
        purpose for purpose, count in slice_share for _ in range(min(count, room + 1))
    ]  # one too many is enough to tell
    places = _places(network, leaves, width)
    for number, purpose in enumerate(purposes):
        place = next(places, None)
        if place is None:
            raise network.refuse(
                f"fabric {network.fabric.name} has no room for its reserved ports",
                f"{sum(count for _, count in slice_share)} free host ports for {', '.join(dict.fromkeys(purposes))}",
                f"{number} on {len(leaves)} leaves beside nodes and control servers",
                _room(network),
                f"{network.path}.reserved.{purpose}",
            )
        network.reserved.append((*place, purpose))
        if purpose == "ufm":
            network.quiet.setdefault(place[0], set()).add(place[1])


def _places(network: Network, leaves: Sequence[FabricSwitch], width: int) -> Iterator[tuple[int, int]]:
    """(leaf, port) of free host ports: first those that no slot needs, then those of slots without a node."""
    blocks = [leaves[max(0, end - width) : end] for end in range(len(leaves), 0, -width)]
    for keep_slots in (True, False):
        for block in blocks:
            while True:
                open_ones = [leaf for leaf in block if _free(network, leaf, keep_slots)]
                if not open_ones:
                    break
                for leaf in open_ones:
                    far = network.take(leaf.id)
                    assert far is not None, "the leaf was seen to have room"
                    yield leaf.id, far


def _free(network: Network, leaf: FabricSwitch, keep_slots: bool) -> bool:
    return _beside(network, leaf) > 0 if keep_slots else bool((~network.occupied[leaf.id]).any())


def _room(network: Network) -> str:
    """Advice that makes room for reserved ports."""
    more = (
        "raise leaf_down"
        if network.fabric.leaf_down
        else "raise the oversubscription, which gives leaves more host ports"
    )
    return f"{more}; or lower scalable_unit so that the leaves of a unit have ports left, or choose a switch with more ports"
