"""One network port of a simulated machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rackwright.twin.hardware.parts.link import LinkState


@dataclass(frozen=True)
class MachinePort:
    """One network port of a machine."""

    name: str
    """Device name of the server SKU (``mlx5_0``)."""
    role: str
    """``compute``, ``storage``, ``inband``."""
    guid: str
    """Port GUID, ``0x`` and 16 hex digits."""
    mac: str
    adapter: str = ""
    """Adapter of the server SKU (``ConnectX-7``)."""
    function: int = 0
    """PCI function on its adapter: the lanes of a split port are functions of one adapter."""
    infiniband: bool = False
    link: LinkState = field(default_factory=LinkState)


def card_serial(ports: Sequence[MachinePort], port: MachinePort) -> str:
    """Serial number of the adapter of `port` among the `ports` of its machine, after the GUID of its first port."""
    firsts = [nic for nic in ports[: ports.index(port) + 1] if nic.function == 0]
    return f"MT{firsts[-1].guid[-10:].upper()}"
