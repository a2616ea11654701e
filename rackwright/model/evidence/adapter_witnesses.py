"""The network adapters of one node as the host and its BMC each report them."""

from __future__ import annotations

from typing import ClassVar

from rackwright.model.base import Record


class HostCard(Record):
    """An adapter on the PCI bus."""

    ports: dict[str, str]
    """RDMA device (``mlx5_0``) -> port GUID, ``0x`` and 16 hex digits; empty for a port of Ethernet."""
    address: str
    """Of its first function (``0000:18:00.0``)."""
    slot: str
    """Number of the slot by the firmware of the host; empty where it does not tell."""
    number: str
    """Serial number in its product data (VPD); empty where it has none, or reading it was not allowed."""


class BmcCard(Record):
    """An adapter in the inventory of the BMC."""

    names: list[str]
    """Its adapters by Redfish id: some boards have two under one serial number."""
    slot: str
    """Label of the slot; empty where it is not reported."""
    number: str
    guids: list[str]
    macs: list[str]


class AdapterWitnesses(Record):
    """The adapters that the host reports and those that the BMC reports, not merged."""

    joined_from: ClassVar[tuple[str, ...]] = ("Rdma", "Bmc")
    """Names of the readings without which there is none."""

    host: list[HostCard]
    bmc: list[BmcCard]
