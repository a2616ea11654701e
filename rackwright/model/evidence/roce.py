"""How one node marks and treats its RoCE traffic: congestion notification, traffic class, priorities."""

from __future__ import annotations

from rackwright.model.base import Record


class RocePort(Record):
    """The network interface of one RDMA device; None where driver or tool does not report a value."""

    interface: str
    notifies: list[int] | None
    """Priorities on which it answers marked packets with congestion notifications (ECN, notification point)."""
    reacts: list[int] | None
    """Priorities on which it slows down when notified (reaction point)."""
    traffic_class: int | None
    """Traffic class that the driver sets in every RoCE packet, DSCP and ECN bits together; None where programs choose."""
    priorities: dict[int, int] | None
    """DSCP -> priority, for the code points that are mapped."""


class Roce(Record):
    """The RDMA devices of a node that have a network interface."""

    ports: dict[str, RocePort]
