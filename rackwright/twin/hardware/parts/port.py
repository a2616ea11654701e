"""One network port of a simulated machine."""

from __future__ import annotations

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
