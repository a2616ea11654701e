"""Ports that a switch of InfiniBand cannot number: lanes of split ports count alone, and there may be more of them than numbers."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.design.topology.network import Network
from rackwright.model.lanes import INFINIBAND_PORTS
from rackwright.model.sku import Switch


def refuse_unnumbered(network: Network) -> None:
    """Raises `UnconnectedError` for a fabric of InfiniBand with cables on such ports."""
    if network.fabric.transport != "infiniband":
        return
    device, number = max(_ports_beyond_limit(network), key=lambda end: end[1], default=(0, 0))
    if not number:
        return
    part = network.roster.parts[device]
    assert isinstance(part, Switch), "no adapter has as many ports"
    raise network.unconnected(
        f"fabric {network.fabric.name} has more links on {network.roster.names[device]} than InfiniBand numbers ports of a switch (8 bits)",
        f"at most {INFINIBAND_PORTS} ports, every lane of a split port counted",
        f"port {number} of {part.sku} with {part.ports.count} ports of {part.ports.gbps} Gb/s",
        f"set link_gbps to {part.ports.gbps}, lower leaf_down, or choose a switch whose ports have the rate of the adapters",
    )


def _ports_beyond_limit(network: Network) -> Iterator[tuple[int, int]]:
    """Device and number of every port that has a cable and a number which is too high."""
    for wires in network.wires:
        for devices, ports in ((wires.a, wires.a_port), (wires.b, wires.b_port)):
            # Numbers begin at 1, indices at 0.
            for at in (wires.there & (ports >= INFINIBAND_PORTS)).nonzero()[0]:
                yield int(devices[at]), network.roster.ports[int(devices[at])].ports[int(ports[at])].number
