"""Every kind of part that a file of the catalog may hold. A new kind is one record, and one word here."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from rackwright.model.device import InventoryDevice
from rackwright.model.peripheral import Instance, Nic, Optic
from rackwright.model.plant import Busway, Cdu, Coolant, Crah, LeakDetector, Pdu, PowerShelf, Ups
from rackwright.model.sku import Accelerator, Cable, Rack, Server, Switch
from rackwright.model.vendor import Vendor

Part = (
    Accelerator
    | Vendor
    | Server
    | Switch
    | Cable
    | Optic
    | Nic
    | Rack
    | Instance
    | Ups
    | Busway
    | Pdu
    | PowerShelf
    | Cdu
    | Crah
    | Coolant
    | LeakDetector
    | InventoryDevice
)
AnySku = Annotated[Part, Field(discriminator="kind")]
