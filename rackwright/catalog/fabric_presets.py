"""Fabrics by name, for sizing a site backwards, read from ``fabric_presets.yaml``."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Literal

from pydantic import Field

from rackwright.catalog.datafile import read_record
from rackwright.model.base import Name, Positive, Record
from rackwright.model.fabric import FabricLosses, Topology
from rackwright.model.sku import Source


class FabricPreset(Record):
    """A compute fabric as it is usually built."""

    name: Name
    says: str
    """What it is, for the comment in the site file."""
    transport: Literal["infiniband", "roce"]
    topology: Topology
    switch: str
    spine_switch: str | None = None
    planes: Positive = 1
    rail_planes: bool = False
    tiers: Positive | None = None
    leaf_group: Literal["unit", "rack", "site"] = "unit"
    """Of the compute fabric; with ``site`` all nodes share the leaves of the other networks too, and are one scalable unit."""
    network_topology: Literal["leaf-spine", "collapsed-core"] = "leaf-spine"
    """Of the storage and in-band networks."""
    survive: FabricLosses | None = None
    """What all these networks must survive; empty: nothing is declared."""
    most_nodes: Positive | None = None
    """Beyond these, other presets are meant; open when empty."""
    scale_up_switch: str | None = None
    """NVSwitch tray of racks whose accelerators form one domain."""
    scalable_unit: Positive | None = None
    """Nodes; as many as a leaf has host ports when empty."""
    servers_per_rack: Positive | None = None
    rack: str | None = None
    servers: list[str] = []
    """The only servers it is for; empty: every server whose adapters fit."""

    @property
    def whole_site(self) -> bool:
        """Whether all nodes hang on the same few switches, so that there are no units to grow by."""
        return self.leaf_group == "site" or self.topology == "collapsed-core"


class NetworkPreset(Record):
    """A storage, in-band or management network."""

    role: Literal["storage", "inband", "bmc"]
    transport: Literal["infiniband", "roce", "ethernet"]
    gbps: Positive
    """Of the server ports."""
    switches: Annotated[list[str], Field(min_length=1)]
    """In the order in which they are tried: the next one when the one before has too few ports."""
    oversubscription: Annotated[float, Field(ge=1)]
    storage_server: str | None = None


class FabricPresets(Record):
    """Everything of ``fabric_presets.yaml``."""

    presets: list[FabricPreset]
    infiniband_adapters: list[str]
    """Adapters that speak InfiniBand; the others speak Ethernet alone."""
    networks: list[NetworkPreset]
    sources: list[Source]

    def named(self, name: str) -> FabricPreset | None:
        """The preset `name`; None when there is none."""
        return next((preset for preset in self.presets if preset.name == name), None)

    def network(self, role: str, gbps: int, transports: tuple[str, ...]) -> NetworkPreset | None:
        """The network for ports of one role and rate, of the first of `transports` that has one."""
        networks = [
            network
            for network in self.networks
            if (network.role, network.gbps) == (role, gbps) and network.transport in transports
        ]
        return min(networks, key=lambda network: transports.index(network.transport), default=None)


@cache
def load() -> FabricPresets:
    """``fabric_presets.yaml`` as its record."""
    return read_record("fabric_presets", FabricPresets)
