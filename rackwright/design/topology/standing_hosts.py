"""Plugged host cables stay on their ports; new ones get free ports.

The leaves of a node follow from the site alone: it keeps its port there, or that on an equal leaf of its scalable unit. Control servers and uplinks
of management switches keep their ports on any leaf that the nodes leave to them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rackwright.base.errors import ProblemsError
from rackwright.design.topology.network import UNSET, FabricSwitch, Network

End = tuple[int, int]
"""Number of a device, and index of its port."""
Equal = tuple[int | str, ...]
"""What leaves have in common on which a host may hang alike."""


@dataclass(frozen=True)
class HostPlug:
    """One cable of a host, by its place in the wires of a network, and its leaf port as planned."""

    network: int
    run: int
    at: int
    near: End
    far: End
    alike: Equal
    of_node: bool


class StandingHosts:
    """The host ports of all networks with the cables in them."""

    def __init__(self, networks: Sequence[Network], recorded: Mapping[End, End], control: Collection[int]) -> None:
        self._networks, self._recorded, self._control = networks, recorded, control
        self._leaves: dict[Equal, list[FabricSwitch]] = {}
        self._alike: dict[int, tuple[Equal, Equal]] = {}
        self._used: dict[End, HostPlug] = {}
        for at, network in enumerate(networks):
            for member in network.members:
                self._register(at, network, member)

    def _register(self, at: int, network: Network, member: FabricSwitch) -> None:
        """Registers a leaf under the key of leaves that can replace it for nodes, and under the key for any other host."""
        unit = (at, member.tier, member.pool, member.unit, member.plane, member.rail, member.rack)
        anything = (at, member.plane, member.rail if network.fabric.rail_planes else UNSET)
        self._alike[member.id] = unit, anything
        if self._room(network, member.id):
            self._leaves.setdefault(unit, []).append(member)
            self._leaves.setdefault(anything, []).append(member)

    def _room(self, network: Network, switch: int) -> int:
        """Number of ports of a switch that take hosts; they are its first ones."""
        if network.fabric.topology == "management":
            return network.switch.ports.count
        return len(network.occupied.get(switch, ()))

    def keep(self) -> None:
        """Rewires the networks. Raises `ProblemsError` where no port is free."""
        plugs = sorted(self._plugs(), key=lambda plug: not plug.of_node)
        for of_node in (True, False):
            loose = [plug for plug in plugs if plug.of_node == of_node and not self._stays(plug)]
            for plug in loose:
                self._used[self._free(plug)] = plug
        self._rewire()
        for network in self._networks:
            network.reserved[:] = [self._reserved(network, *entry) for entry in network.reserved]

    def _plugs(self) -> Iterator[HostPlug]:
        for number, network in enumerate(self._networks):
            for run, wires in enumerate(network.wires):
                if wires.kind not in ("node_leaf", "uplink"):
                    continue
                for at in wires.there.nonzero()[0].tolist():
                    near, far = (int(wires.a[at]), int(wires.a_port[at])), (int(wires.b[at]), int(wires.b_port[at]))
                    of_node = wires.kind == "node_leaf" and near[0] not in self._control
                    unit, anything = self._alike[far[0]]
                    yield HostPlug(number, run, at, near, far, unit if of_node else anything, of_node)

    def _stays(self, plug: HostPlug) -> bool:
        end = self._recorded.get(plug.near)
        if end is None or end in self._used or end[0] not in self._alike or plug.alike not in self._alike[end[0]]:
            return False
        network = self._networks[int(plug.alike[0])]
        if end[1] >= self._room(network, end[0]):
            return False
        self._used[end] = plug
        return True

    def _free(self, plug: HostPlug) -> End:
        """The planned port unless it is used or recorded for another cable; else a free port without a record, else any free port."""
        if plug.far not in self._used and plug.far not in self._recorded:
            return plug.far
        network = self._networks[int(plug.alike[0])]
        near = [leaf.id for leaf in self._leaves[plug.alike] if leaf.id != plug.far[0]]
        every: list[End] = [(leaf, port) for leaf in (plug.far[0], *near) for port in range(self._room(network, leaf))]
        free: list[End] = [end for end in (every if plug.of_node else every[::-1]) if end not in self._used]
        unrecorded = [end for end in free if end not in self._recorded]
        planned = [plug.far] if plug.far in free else []
        if free:
            return (unrecorded or planned or free)[0]
        raise self._full(network, plug.far[0])

    def _full(self, network: Network, leaf: int) -> ProblemsError:
        name = network.roster.names[leaf]
        return network.refuse(
            f"fabric {network.fabric.name} has no port left beside the cables that are plugged",
            f"a free host port on {name} or a leaf like it",
            "none",
            "remove cables of `existing` that may move, or lower the count of the pool",
        )

    def _rewire(self) -> None:
        moved: dict[tuple[int, int], list[tuple[int, End]]] = {}
        for end, plug in self._used.items():
            if end != plug.far:
                moved.setdefault((plug.network, plug.run), []).append((plug.at, end))
        for (network, run), entries in moved.items():
            wires = self._networks[network].wires[run]
            b, b_port = wires.b.copy(), wires.b_port.copy()
            for at, end in entries:
                b[at], b_port[at] = end
            self._networks[network].wires[run] = replace(wires, b=b, b_port=b_port)

    def _reserved(self, network: Network, leaf: int, port: int, purpose: str) -> tuple[int, int, str]:
        """(switch, port, purpose) of a reserved port; the highest free port if a cable is plugged there."""
        if (leaf, port) not in self._used:
            return leaf, port, purpose
        reserved = {(switch, at) for switch, at, _ in network.reserved}
        for switch in (leaf, *(peer.id for peer in self._leaves[self._alike[leaf][1]])):
            for at in reversed(range(self._room(network, switch))):
                if (switch, at) not in self._used and (switch, at) not in reserved:
                    return switch, at, purpose
        raise self._full(network, leaf)
