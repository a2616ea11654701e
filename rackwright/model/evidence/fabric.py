"""InfiniBand subnets as `ibnetdiscover` and `saquery` report them."""

from __future__ import annotations

from rackwright.model.base import Record
from rackwright.model.evidence.link_table import FabricLink, LinkTable

__all__ = ["FabricLink", "FabricMap", "LinkTable", "Manager", "NodeFabric", "Subnet", "Subnets"]


class FabricMap(Record):
    """A whole subnet."""

    links: LinkTable


class NodeFabric(Record):
    """The links of one node's adapters in the subnet, joined by port GUID."""

    links: dict[str, FabricLink | None]
    """By adapter name (``mlx5_0``); None when the subnet does not show that GUID."""


class Manager(Record):
    """One subnet manager that the subnet knows (`saquery SMIR`)."""

    guid: str
    """Of the port it runs on."""
    priority: int
    state: int
    """0 not active, 1 discovering, 2 standby, 3 master (InfiniBand Architecture Specification, volume 1, SMInfo)."""


class Subnet(Record):
    """One subnet, seen from one port of a machine for subnet managers."""

    managers: list[Manager]
    links: LinkTable
    """Every end of every link."""


class Subnets(Record):
    """The subnets that a machine for subnet managers has a port in."""

    subnets: dict[str, Subnet]
    """By own device (``mlx5_0``)."""
    unread: dict[str, str]
    """Own devices through which nothing could be read -> why."""
