"""BMCs: reached, trusted and logged in to, and which machines they are of."""

from __future__ import annotations

from collections.abc import Mapping

from rackwright.base.errors import OutsideError
from rackwright.model.access import Access
from rackwright.model.resource import MachineIdentity
from rackwright.preflight.result import ProbeError, ProbeReading
from rackwright.redfish import identity
from rackwright.redfish.apply import read_machine
from rackwright.redfish.client import Client, RequestLimits
from rackwright.redfish.resources.service_root import SERVICE_ROOT


async def log_in(address: str, access: Access, limits: RequestLimits) -> ProbeReading:
    """The version of Redfish that a BMC speaks, after a log-in and a log-out."""
    try:
        async with Client(address, access, limits) as client:
            root = await client.get(SERVICE_ROOT)
    except OutsideError as refused:
        raise ProbeError(str(refused)) from None
    vendor = root.get("Vendor") or root.get("Product") or "no vendor named"
    return ProbeReading(f"Redfish {root.get('RedfishVersion', 'of no version')}, {vendor}")


async def recognise(
    name: str, address: str, access: Access, places: Mapping[str, MachineIdentity], visited: identity.Visited
) -> ProbeReading:
    """The machine behind a BMC, which must be the one of `places` at the node `name`, and answer as no other node."""
    try:
        observed = (await read_machine(address, access)).identity
        identity.require_same(name, address, places[name], observed, lambda: places)
        visited.meet(name, address, observed)
    except OutsideError as refused:
        raise ProbeError(str(refused)) from None
    return ProbeReading(f"serial number {observed.serial}, UUID {observed.uuid or 'not reported'}")
