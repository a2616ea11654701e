"""Plugged cables stay where the declared site allows it; new ones get free ports.

The switches, and the number of links between any two of them, follow from the site alone: an added spine takes links from the others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from rackwright.design.topology.network import Network, Wires
from rackwright.design.topology.standing_hosts import End, StandingHosts
from rackwright.model.existing import ExistingCable

OF_HOSTS = ("node_leaf", "uplink", "nvlink")
"""Kinds of cables that do not join switches of one fabric; NVLinks are inside a rack."""


def keep(networks: Sequence[Network], cables: Sequence[ExistingCable], control: Collection[int]) -> None:
    """Rewires `networks` so that `cables` stay; servers of `control` hang on any leaf. Raises `ProblemsError` without a free port."""
    if not cables or not networks:
        return
    recorded = _recorded(networks[0], cables)
    StandingHosts(networks, recorded, control).keep()
    for network in networks:
        for kind in dict.fromkeys(wires.kind for wires in network.wires):
            if kind not in OF_HOSTS:
                _keep_links(network, kind, recorded)


def _recorded(network: Network, cables: Sequence[ExistingCable]) -> dict[End, End]:
    """Far end of every port with a cable, both ways; cables whose ends are not in the design are left out."""
    roster = network.roster
    numbers = {name: number for number, name in enumerate(roster.names)}
    indices = {
        id(listed): {port.name: index for index, port in enumerate(listed.ports)}
        for listed in dict.fromkeys(roster.ports)
    }
    far: dict[End, End] = {}
    for cable in cables:
        ends = []
        for text in (cable.a, cable.b):
            device, _, port = text.partition(":")
            number = numbers.get(device, -1)
            index = indices[id(roster.ports[number])].get(port, -1) if number >= 0 else -1
            ends.append((number, index))
        if all(index >= 0 for _, index in ends):
            far[ends[0]], far[ends[1]] = ends[1], ends[0]
    return far


def _keep_links(network: Network, kind: str, recorded: Mapping[End, End]) -> None:
    """Assigns the ports of all links of one kind: recorded ones of the same two switches first, then the free ports of both."""
    runs = [at for at, wires in enumerate(network.wires) if wires.kind == kind]
    free: dict[int, dict[int, None]] = defaultdict(dict)
    required: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for run in runs:
        wires = network.wires[run]
        for at, (a, a_port, b, b_port) in enumerate(_rows(wires)):
            free[a][a_port] = free[b][b_port] = None
            required[a, b].append((run, at))
    ports: dict[tuple[int, int], tuple[int, int]] = {}
    for (device, port), (peer, peer_port) in recorded.items():
        places = required.get((device, peer))
        if places and port in free[device] and peer_port in free[peer]:
            ports[places.pop(0)] = port, peer_port
            del free[device][port], free[peer][peer_port]
    rest = {device: iter(ports_left) for device, ports_left in free.items()}
    for (a, b), places in required.items():
        ports |= {place: (next(rest[a]), next(rest[b])) for place in places}
    for run in runs:
        network.wires[run] = _with_ports(network.wires[run], run, ports)


def _rows(wires: Wires) -> list[tuple[int, int, int, int]]:
    columns = (wires.a.tolist(), wires.a_port.tolist(), wires.b.tolist(), wires.b_port.tolist())
    return list(zip(*columns, strict=True))


def _with_ports(wires: Wires, run: int, ports: Mapping[tuple[int, int], tuple[int, int]]) -> Wires:
    a_port, b_port = wires.a_port.copy(), wires.b_port.copy()
    for at in range(len(wires)):
        a_port[at], b_port[at] = ports[run, at]
    return replace(wires, a_port=a_port, b_port=b_port)
