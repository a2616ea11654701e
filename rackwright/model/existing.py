"""What of a site stands already, and must stay where it is when the site grows or changes."""

from __future__ import annotations

from typing import Annotated

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


class Existing(Record):
    """What is listed stays, and what is new is built around it; rule ``existing`` names what would have to change all the same."""

    racks: list[RackPlace] = []
    devices: list[ExistingDevice] = []
    plant: list[ExistingPlant] = []
    cables: list[ExistingCable] = []
