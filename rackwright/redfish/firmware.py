"""Versions of firmware as a BMC lists them: by component, and compared with a baseline. Nothing is updated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rackwright.redfish.client import Client
from rackwright.redfish.crawler import SECONDS, Crawl
from rackwright.redfish.resources.service_root import SERVICE_ROOT
from rackwright.redfish.resources.text_members import word

MOST = 256
"""Components that are requested one by one: a machine of eight accelerators lists some hundred."""
INSTALLED, PLACE = "Installed-", "__"
"""Dell's ids hold state and version (``Installed-159-1.8.2__BIOS.Setup.1-1``): what follows the version tells the component."""


async def read_firmware(client: Client) -> dict[str, str]:
    """Component -> version, under each name that the BMC has for it; empty where it lists none. OutsideError when it refuses."""
    crawl = Crawl(client, {SERVICE_ROOT: await client.get(SERVICE_ROOT)}, seconds=SECONDS, most=MOST)
    await crawl.single(crawl.root.updates)
    listing = crawl.linked(crawl.root.updates, "FirmwareInventory")
    await crawl.collection(listing)
    return {name: word(entry, "Version") for entry in crawl.members(listing) for name in reversed(list(_names(entry)))}


def deviations(baseline: Mapping[str, str], versions: Mapping[str, str]) -> Iterator[str]:
    """A sentence for each component whose version is not that of `baseline`."""
    for component, version in sorted(baseline.items()):
        if component not in versions:
            near = ", ".join(sorted(versions)[:6]) or "none"
            yield f"firmware of {component} is not listed by the BMC, the design says {version} (it lists {near})"
        elif versions[component] != version:
            yield f"firmware of {component} is {versions[component] or 'of no version'}, the design says {version}"


def _names(entry: Mapping[str, Any]) -> Iterator[str]:
    """Its id, and its name where the id is a mere number (HPE); of Dell's what is installed, and not what is kept or was."""
    identity = word(entry, "Id")
    if PLACE in identity:
        if identity.startswith(INSTALLED):
            yield identity.partition(PLACE)[2]
    elif identity.isdecimal():
        yield word(entry, "Name")
    else:
        yield identity
