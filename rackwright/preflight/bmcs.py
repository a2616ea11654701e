"""BMCs: reached, trusted and logged in to, and their clocks read."""

from __future__ import annotations

from rackwright.base.errors import OutsideError
from rackwright.model.access import Access
from rackwright.preflight.result import ProbeError, ProbeReading
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
