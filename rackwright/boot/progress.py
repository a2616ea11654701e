"""How far the boots of machines are that are being installed, as their BMCs say: each new stage is an event of the server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime

from rackwright.boot.installation import Installations
from rackwright.redfish.boot_watch import BootWatch
from rackwright.redfish.concurrency import limits

UNDER_WAY = ("booting", "installing", "written", "starting")
"""States between the first request of a machine and its phoning home."""
POLL_SECONDS = 2.0
"""Between looks at the states; a BMC gets a request less often (`boot_watch.LOOK_SECONDS`)."""


async def report_boots(installations: Installations, watches: Mapping[str, BootWatch]) -> None:
    """Report stages until this is cancelled; `watches` by node. A BMC that does not answer holds up no other, and says nothing."""
    places = asyncio.Semaphore(limits()["machines_at_once"])
    while True:
        await asyncio.gather(*(_look(installations, node, watch, places) for node, watch in watches.items()))
        await asyncio.sleep(POLL_SECONDS)


async def _look(installations: Installations, node: str, watch: BootWatch, places: asyncio.Semaphore) -> None:
    record = installations.records.read(node)
    if record.state not in UNDER_WAY:
        return
    async with places:
        news = await watch.news()
    if news:
        at = datetime.fromtimestamp(installations.now(), UTC).isoformat(timespec="seconds")
        installations.report_event(
            {"node": node, "state": record.state, "at": at, "attempt": record.attempt, "boot": news}
        )
