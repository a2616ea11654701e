"""Reads what a BMC watches: sensors, leak detectors, draw, event log.

What was listed and not read is counted by `readings`, and makes the checks inconclusive.
"""

from __future__ import annotations

import asyncio
from typing import Any

from rackwright.redfish.crawler import Crawl
from rackwright.redfish.readings import MORE, event_logs
from rackwright.redfish.resources.chassis import Chassis
from rackwright.redfish.resources.links import link, members
from rackwright.redfish.resources.manager import Manager
from rackwright.redfish.resources.system import System

MOST = 256
"""Single documents: a BMC that expands its collections needs some twenty, one that does not has some 150 sensors."""
PAGES = 8
"""Pages of one event log; makers give 50 to 1,000 entries a page, and a full log has some 4,000."""


async def read(crawl: Crawl) -> None:
    """Everything that changes by itself. Raises OutsideError when the BMC refuses."""
    crawl.left = MOST
    chassis = [Chassis.of(one) for one in members(crawl.documents, crawl.root.chassis)]
    systems = [System.of(one) for one in members(crawl.documents, crawl.root.systems)]
    managers = [Manager.of(one) for one in members(crawl.documents, crawl.root.managers)]
    logs = [*(one.log_services for one in systems), *(one.log_services for one in managers)]
    services = [path for path in logs if path]
    own_ports = [path for path in (one.ports for one in managers) if path]
    listings = [*services, *own_ports]
    await asyncio.gather(*(_environment(crawl, one) for one in chassis), *(crawl.collection(path) for path in listings))
    await asyncio.gather(*(_log(crawl, path) for path in event_logs(crawl.documents, services)))
    await asyncio.gather(*(crawl.collection(one.sensors) for one in chassis))


async def _environment(crawl: Crawl, chassis: Chassis) -> None:
    older = (chassis.thermal if not chassis.sensors else "", chassis.power if not chassis.environment else "")
    missing = [path for path in (chassis.environment, chassis.thermal_subsystem, *older) if path not in crawl.documents]
    await asyncio.gather(*(crawl.single(path) for path in missing))
    detection = link(crawl.documents.get(chassis.thermal_subsystem) or {}, "LeakDetection")
    await crawl.single(detection)
    await crawl.collection(link(crawl.documents.get(detection) or {}, "LeakDetectors"))


async def _log(crawl: Crawl, path: str) -> None:
    """The entries at `path`, page by page; what is left after `PAGES` stays said in the listing."""
    await crawl.collection(path)
    listing = crawl.documents.get(path)
    for _ in range(PAGES):
        following = str((listing or {}).get(MORE) or "")
        page = await crawl.client.get_optional(following) if listing and following else None
        if listing is None or page is None:
            return
        listing = crawl.documents[path] = _joined(crawl, listing, page)


def _joined(crawl: Crawl, listing: dict[str, Any], page: dict[str, Any]) -> dict[str, Any]:
    """`listing` with the entries of `page`, and with what follows that."""
    entries = [one for one in page.get("Members") or [] if one.get("@odata.id")]
    for entry in entries:
        if len(entry) > 1:
            crawl.documents[str(entry["@odata.id"])] = entry
    members_so_far = [*listing["Members"], *({"@odata.id": one["@odata.id"]} for one in entries)]
    rest = {key: value for key, value in listing.items() if key != MORE}
    return {**rest, "Members": members_so_far, **({MORE: page[MORE]} if page.get(MORE) else {})}
