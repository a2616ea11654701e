"""Physical layer of the network ports of one node (`mlxlink`)."""

from __future__ import annotations

from rackwright.model.base import Record


class Range(Record):
    """A reading with the alarm thresholds that the module itself holds (CMIS, SFF-8636)."""

    values: list[float]
    """One per lane."""
    least: float | None
    most: float | None


class Module(Record):
    """The transceiver or cable in a port."""

    kind: str
    """``Optical Module (separated)``, ``Passive copper cable``."""
    vendor: str
    part: str
    serial: str
    meters: float | None
    """Length that it states; None for fibre, which states none."""
    temperature_celsius: Range | None
    receive_dbm: Range | None
    transmit_dbm: Range | None


class LinkReading(Record):
    """One port. None is a field that the tool prints as N/A."""

    state: str
    """``Active``, ``Polling`` …"""
    physical_state: str
    """``LinkUp``; on Ethernet ``ETH_AN_FSM_ENABLE``."""
    speed: str
    """``IB-NDR``, ``400G``."""
    lanes: int | None
    fec: str | None
    minutes: float | None
    """Since the counters were cleared."""
    symbol_errors: int | None
    """None on Ethernet, which has none."""
    symbol_ber: float | None
    effective_errors: int | None
    effective_ber: float | None
    """After FEC."""
    raw_ber: float | None
    """Before FEC."""
    downs: int | None
    recoveries: int | None
    advice: str
    """What the tool recommends."""
    module: Module | None


class Links(Record):
    """All ports of a node by RDMA device."""

    ports: dict[str, LinkReading]
    unread: dict[str, str]
    """Devices that the tool could not read -> what it printed."""
