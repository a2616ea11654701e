"""ECN marks and DSCP of RoCE packets, and the ports that have settings for them.

Separate from `network`, because only NVIDIA's adapters have these files.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from rackwright.compare import network
from rackwright.compare.named_readings import NamedReadings
from rackwright.model.check import Expectation
from rackwright.model.design import Link
from rackwright.model.evidence.roce import Roce, RocePort

T = TypeVar("T")
MAKERS = ("ConnectX", "BlueField")
ECN_BITS = 2
"""The lower two bits of a traffic class (RFC 3168, section 5); the DSCP is above them (RFC 2474, section 3)."""


def links(expectation: Expectation) -> list[Link]:
    """Planned cables of NVIDIA's adapters into RoCE fabrics."""
    groups = expectation.node.server.ports
    ports = {name for group in groups if group.adapter.startswith(MAKERS) for name in group.names}
    return [link for link in network.roce_links(expectation) if link.port in ports]


def carries(expectation: Expectation) -> bool:
    """Whether it is an accelerator node with such a port; for `Check.applies`."""
    return expectation.node.role == "accelerator" and bool(links(expectation))


def by_port(expectation: Expectation, roce: Roce, read: Callable[[RocePort], T | None]) -> NamedReadings[T | None]:
    """One reading of every planned port; None if the device is missing or reports none."""
    planned = links(expectation)
    return network.by_place(planned, [roce.ports.get(link.port) for link in planned], read)


def code_point(traffic_class: int) -> int:
    """DSCP of a traffic class."""
    return traffic_class >> ECN_BITS


def can_be_marked(traffic_class: int) -> bool:
    """Whether switches may mark such packets instead of dropping them: one of the two ECN bits is set."""
    return bool(traffic_class % (1 << ECN_BITS))
