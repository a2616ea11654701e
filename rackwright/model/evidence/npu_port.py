"""The network ports of NPUs, which the host does not see as devices (hccn_tool)."""

from __future__ import annotations

from rackwright.model.base import Record
from rackwright.model.evidence.link import Range


class NpuPort(Record):
    """One port."""

    link: str
    """``UP`` or ``DOWN``; empty where the tool did not print it."""
    net_health: str
    """Whether the address that it watches answers: ``Success``, ``Init`` (none is set), ``Unreachable`` ...; empty where it is not printed."""
    module: bool | None
    """Whether an optical module is plugged in; None where the tool did not print it."""
    receive: Range | None
    """Optical power in mW by lane, with the module's thresholds; None where it has none."""
    transmit: Range | None
    lost: list[str]
    """Flags of the module that are set: ``Rx Los``, ``Tx LoL`` ..."""
    switch: str = ""
    """Name of the switch at the other end, which it announces by LLDP; empty where none was heard."""
    switch_port: str = ""
    """Its port there."""
    counters: dict[str, int] = {}
    """Packet statistics by the tool's names (``mac_rx_bad_pkt_num``), pauses of flow control among them; empty where it prints none."""


class NpuPorts(Record):
    """All ports of a node."""

    ports: dict[str, NpuPort]
    """By number of the NPU."""
