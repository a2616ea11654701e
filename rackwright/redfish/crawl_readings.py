"""Reads what a BMC monitors: sensors, leak detectors, power draw, event log.

`readings` counts documents that are listed and were not read; they make the checks inconclusive.
"""

from __future__ import annotations

import asyncio
from typing import Any

from rackwright.base.foreign import RefusedAnswerError
from rackwright.redfish.crawler import Crawl
from rackwright.redfish.readings import MORE, event_logs
from rackwright.redfish.reply import OverLimitError
from rackwright.redfish.resources.chassis import Chassis
from rackwright.redfish.resources.links import link, members
from rackwright.redfish.resources.manager import ManagerResource
from rackwright.redfish.resources.system import System

MOST = 256
"""Single documents: a BMC that expands its collections needs some twenty, one that does not has some 150 sensors."""
PAGES = 8
"""Pages of one event log; makers give 50 to 1,000 entries a page, and a full log has some 4,000."""


async def read(crawl: Crawl) -> None:
    """Everything that changes by itself. Raises OutsideError when the BMC refuses."""
    crawl.left = MOST
    chassis = [Chassis.of(document) for document in members(crawl.documents, crawl.root.chassis)]
    systems = [System.of(document) for document in members(crawl.documents, crawl.root.systems)]
    managers = [ManagerResource.of(document) for document in members(crawl.documents, crawl.root.managers)]
    logs = [*(system.log_services for system in systems), *(manager.log_services for manager in managers)]
    services = [path for path in logs if path]
    own_ports = [path for path in (manager.ports for manager in managers) if path]
    listings = [*services, *own_ports]
    await asyncio.gather(
        *(_environment(crawl, unit) for unit in chassis), *(crawl.collection(path) for path in listings)
    )
    await asyncio.gather(*(_log(crawl, path) for path in event_logs(crawl.documents, services)))
    await asyncio.gather(*(crawl.collection(unit.sensors) for unit in chassis))


async def _environment(crawl: Crawl, chassis: Chassis) -> None:
    older = (chassis.thermal if not chassis.sensors else "", chassis.power if not chassis.environment else "")
    missing = [path for path in (chassis.environment, chassis.thermal_subsystem, *older) if path not in crawl.documents]
    await asyncio.gather(*(crawl.single(path) for path in missing))
    detection = link(crawl.documents.get(chassis.thermal_subsystem) or {}, "LeakDetection")
    await crawl.single(detection)
    await crawl.collection(link(crawl.documents.get(detection) or {}, "LeakDetectors"))


async def _log(crawl: Crawl, path: str) -> None:
    """The entries at `path`, page by page; the listing still counts entries beyond `PAGES`. OverLimitError for pages that lead in a circle."""
    await crawl.collection(path)
    listing = crawl.documents.get(path)
    followed: set[str] = set()
    for _ in range(PAGES):
        following = str((listing or {}).get(MORE) or "")
        if following in followed:
            raise OverLimitError(crawl.client.address, following, RefusedAnswerError("pages that lead in a circle"))
        followed.add(following)
        page = await crawl.client.get_optional(following) if listing and following else None
        if listing is None or page is None:
            return
        listing = crawl.documents[path] = _joined_listing(crawl, listing, page)


def _joined_listing(crawl: Crawl, listing: dict[str, Any], page: dict[str, Any]) -> dict[str, Any]:
    """`listing` with the entries of `page` and the link to the next page."""
    entries = [member for member in page.get("Members") or [] if member.get("@odata.id")]
    for entry in entries:
        if len(entry) > 1:
            crawl.documents[str(entry["@odata.id"])] = entry
    members_so_far = [*listing["Members"], *({"@odata.id": entry["@odata.id"]} for entry in entries)]
    header = {key: value for key, value in listing.items() if key != MORE}
    return {**header, "Members": members_so_far, **({MORE: page[MORE]} if page.get(MORE) else {})}
