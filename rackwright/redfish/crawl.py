"""Reads every document of a BMC that inventory and planning need: links followed, path -> document out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime

from rackwright.redfish import crawl_readings
from rackwright.redfish.client import Client
from rackwright.redfish.crawler import SECONDS, Crawl, Documents
from rackwright.redfish.resources.service_root import SERVICE_ROOT
from rackwright.redfish.unread import READ_AT

MOST = 1024
"""Documents that are requested one by one: a machine of eight accelerators whose BMC expands no collection has some 600."""


async def crawl_machine(
    client: Client, *, with_readings: bool = False, seconds: float = SECONDS, now: Callable[[], datetime] | None = None
) -> Documents:
    """Root, systems, processors, accelerators, chassis, adapters, ports, power supplies and managers; absent parts are left out.

    `with_readings` adds what changes by itself: sensors, leak detectors, draw, event logs, and versions of firmware. `seconds` as `Crawl`.
    `now` is the clock that the one of the BMC is compared with.

    Raises OutsideError when the BMC cannot be reached or refuses.
    """
    crawl = Crawl(client, {SERVICE_ROOT: await client.root()}, seconds=seconds, most=MOST)
    await asyncio.gather(crawl.systems(), crawl.chassis(), _managers(crawl, now))
    await crawl.accelerators()
    if with_readings:
        await crawl_readings.read(crawl)
    return crawl.finish()


async def crawl_compared(client: Client) -> Documents:
    """What a design is compared with: root, systems, processors, accelerators, chassis, adapters and managers; ports of adapters that do not link them themselves.

    Raises OutsideError as `crawl_machine`.
    """
    crawl = Crawl(client, {SERVICE_ROOT: await client.root()}, seconds=SECONDS, most=MOST)
    await asyncio.gather(crawl.systems(), crawl.counted_adapters(), crawl.collection(crawl.root.managers))
    await crawl.accelerators()
    return crawl.finish()


async def crawl_systems(client: Client) -> Documents:
    """Root and systems alone. Raises OutsideError as `crawl_machine`."""
    crawl = Crawl(client, {SERVICE_ROOT: await client.root()}, seconds=SECONDS, most=MOST)
    await crawl.collection(crawl.root.systems)
    return crawl.finish()


async def crawl_identity(client: Client) -> Documents:
    """Root, systems, chassis with adapters and ports, managers with their own ports and interfaces. Raises OutsideError as `crawl_machine`."""
    crawl = Crawl(client, {SERVICE_ROOT: await client.root()}, seconds=SECONDS, most=MOST)
    await crawl.identity()
    return crawl.finish()


async def _managers(crawl: Crawl, now: Callable[[], datetime] | None) -> None:
    await crawl.collection(crawl.root.managers)
    if now is not None:
        crawl.documents[READ_AT] = {"managers": now().isoformat(timespec="seconds")}
