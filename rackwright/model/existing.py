"""What of a site stands already, and must stay where it is when the site grows or changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from pydantic import Field

from rackwright.model.base import Name, Positive, Record
from rackwright.model.facility import RackPlace
from rackwright.model.texts import CableEnd, DeviceName, HostName, Sku


class ExistingDevice(Record):
    """A server or switch that is mounted."""

    device: Annotated[str, Field(pattern="^[a-z][a-z0-9-]{0,60}$")]
    sku: Sku
    rack: Name
    unit: Positive
    """Its lowest rack unit, from 1 at the bottom."""
    addresses: list[HostName] = []
    """Addresses that it has, on whichever of its interfaces."""


class ExistingPlant(Record):
    """A CDU, rack PDU or power shelf with an address on the network of the BMCs; its place follows from its rack or hall."""

    device: DeviceName
    address: HostName


class ExistingCable(Record):
    """A cable that is plugged at both ends."""

    a: CableEnd
    b: CableEnd


class ExistingAddress(NamedTuple):
    """An address in use: the entry that lists it (``devices[3]``), its device, and the address as written."""

    entry: str
    device: str
    address: str


class Existing(Record):
    """What is listed stays, and what is new is built around it; rule ``existing`` names what would have to change all the same."""

    racks: list[RackPlace] = []
    devices: list[ExistingDevice] = []
    plant: list[ExistingPlant] = []
    cables: list[ExistingCable] = []

    @property
    def addresses(self) -> Iterator[ExistingAddress]:
        """Addresses of all devices, then of all plant units."""
        for i, device in enumerate(self.devices):
            yield from (ExistingAddress(f"devices[{i}]", device.device, address) for address in device.addresses)
        for i, plant in enumerate(self.plant):
            yield ExistingAddress(f"plant[{i}]", plant.device, plant.address)
