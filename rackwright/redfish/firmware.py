"""Versions of firmware as a BMC lists them: by component, and compared with a baseline."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from rackwright.model.resource import FirmwareUpdate, Machine
from rackwright.redfish.client import Client
from rackwright.redfish.crawler import SECONDS, Crawl
from rackwright.redfish.resources.service_root import SERVICE_ROOT
from rackwright.redfish.resources.status import Status
from rackwright.redfish.resources.text_members import word

MOST = 256
"""Components that are requested one by one: a machine of eight accelerators lists some hundred."""
INSTALLED, PLACE = "Installed-", "__"
"""Dell's ids hold state and version (``Installed-159-1.8.2__BIOS.Setup.1-1``): what follows the version tells the component."""
NUMBER = re.compile(r"(?:(?<![0-9A-Za-z])|(?<=\b[vV])|(?<=\b0x))[0-9A-Fa-f]+(?![0-9A-Za-z])")
"""A part of a version: ``96``, ``A5``, the numbers of ``v2.60`` and ``0x30``; neither ``rc57`` nor ``Ver``."""
AWAY = {"Absent", "Disabled", "StandbySpare"}
"""States of entries whose health says nothing (GB200 lists GPUs that are not fitted as critical)."""


class Component(NamedTuple):
    """Firmware of one component."""

    version: str
    """Empty where its BMC says none."""
    broken: bool = False
    """The BMC says that it is not usable: an update was broken off."""

    @property
    def words(self) -> str:
        """For a sentence."""
        return f"half-flashed ({self.version or 'no version'})" if self.broken else self.version or "of no version"


async def read_firmware(client: Client) -> dict[str, Component]:
    """Firmware by component, under each name that the BMC has for it; empty where it lists none. OutsideError when it refuses."""
    crawl = Crawl(client, {SERVICE_ROOT: await client.root()}, seconds=SECONDS, most=MOST)
    await crawl.single(crawl.root.updates)
    listing = crawl.linked(crawl.root.updates, "FirmwareInventory")
    await crawl.collection(listing)
    return {name: _component(entry) for entry in crawl.members(listing) for name in reversed(list(_names(entry)))}


def deviations(baseline: Mapping[str, str], components: Mapping[str, Component]) -> Iterator[str]:
    """A sentence for each component whose version is not that of `baseline`."""
    for name, version in sorted(baseline.items()):
        if name not in components:
            near = ", ".join(sorted(components)[:6]) or "none"
            yield f"firmware of {name} is not listed by the BMC, the design says {version} (it lists {near})"
        elif components[name] != Component(version):
            yield f"firmware of {name} is {components[name].words}, the design says {version}"


def mismatches(declared: Machine, components: Mapping[str, Component]) -> Iterator[str]:
    """The deviations of `declared` from its baseline, each with the next step."""
    covered = {name for update in declared.updates for name in outdated(declared.firmware, update, components)}
    send = f"drain {declared.name}, then `rackwright up SITE --nodes {declared.name} --firmware` sends the image of the site"
    by_hand = "the site has no image of it (firmware_images): install it with the maker's tool, then `rackwright up SITE --refresh`"
    for name in sorted(declared.firmware):
        for text in deviations({name: declared.firmware[name]}, components):
            yield f"{text}: {send if name in covered else by_hand}"


def drift(
    baseline: Mapping[str, str], updates: Iterable[FirmwareUpdate], components: Mapping[str, Component]
) -> list[str]:
    """``HostBMC_0 24.09.17 -> 25.01.00`` for each component that one of `updates` would change, in their order."""
    return [
        f"{name} {components[name].words} -> {baseline[name]}"
        for update in updates
        for name in outdated(baseline, update, components)
    ]


def outdated(baseline: Mapping[str, str], update: FirmwareUpdate, components: Mapping[str, Component]) -> list[str]:
    """The components of `update` that are listed and not of their version."""
    listed = [name for name in update.components if name in baseline and name in components]
    return [name for name in listed if components[name] != Component(baseline[name])]


def is_older(version: str, installed: str) -> bool:
    """Whether `version` comes before the `installed` one, by the numbers in both; never where they cannot be compared.

    Numbers may be hexadecimal (VBIOS 96.00.A5.00.01): the order of decimal ones is the same when they are read so.
    """
    numbers = [[int(part, 16) for part in NUMBER.findall(text)] for text in (version, installed)]
    return all(numbers) and numbers[0] < numbers[1]


def _component(entry: Mapping[str, Any]) -> Component:
    status = Status.of(entry)
    return Component(word(entry, "Version"), status.health == "Critical" and status.state not in AWAY)


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
