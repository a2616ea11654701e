"""Reads every document of a rack PDU or a CDU that its readings need: links followed, path -> document out."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from rackwright.redfish.client import Client
from rackwright.redfish.crawler import Crawl, Documents
from rackwright.redfish.resources.links import link, members
from rackwright.redfish.resources.service_root import SERVICE_ROOT, ServiceRoot

PDU_LISTS = ("Mains", "Branches", "Outlets")
CDU_LISTS = ("PrimaryCoolantConnectors", "SecondaryCoolantConnectors", "Pumps", "Reservoirs")
MOST = 256
"""Single documents: a PDU that does not expand its collections has some 60 outlets and circuits."""


async def rack_pdu(client: Client) -> Documents:
    """Root, rack PDUs, their metrics, circuits and outlets. Raises OutsideError when the PDU cannot be reached or refuses."""
    return await _read(client, ("PowerEquipment", "RackPDUs"), PDU_LISTS, ("Metrics",))


async def cdu(client: Client) -> Documents:
    """Root, CDUs, their connectors, pumps, reservoirs and leak detectors. Raises OutsideError as `rack_pdu`."""
    return await _read(client, ("ThermalEquipment", "CDUs"), CDU_LISTS, ("LeakDetection",))


async def _read(client: Client, way: tuple[str, str], lists: Iterable[str], parts: Iterable[str]) -> Documents:
    documents: Documents = {SERVICE_ROOT: await client.get(SERVICE_ROOT)}
    crawl = Crawl(client, documents, ServiceRoot.of(documents[SERVICE_ROOT]))
    crawl.left = MOST
    service = link(documents[SERVICE_ROOT], way[0])
    await crawl.single(service)
    listing = link(documents.get(service) or {}, way[1])
    await crawl.collection(listing)
    units = members(documents, listing)
    paths = [link(unit, name) for unit in units for name in lists]
    await asyncio.gather(
        *(crawl.collection(path) for path in paths if path),
        *(crawl.single(link(name_, name)) for name_ in units for name in parts),
    )
    leaks = [link(documents.get(link(unit, "LeakDetection")) or {}, "LeakDetectors") for unit in units]
    await asyncio.gather(*(crawl.collection(path) for path in leaks if path))
    return dict(sorted(documents.items()))
