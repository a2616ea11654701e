"""Images of a pool as updates of its machines: where they are, and how BMCs of the server take them; pure."""

from __future__ import annotations

from rackwright.catalog import firmware_practice
from rackwright.catalog.firmware_practice import DialectFirmware
from rackwright.model.firmware import FirmwareImage
from rackwright.model.resource import Activation, FirmwareUpdate
from rackwright.model.server import Server
from rackwright.model.site import Pool, Site

INVENTORY = "/redfish/v1/UpdateService/FirmwareInventory"
ORDER: tuple[Activation, ...] = ("none", "bmc", "host", "power-cycle")
"""What brings firmware into force, the least first: an image of several components needs what the last of its components does."""


def updates(site: Site, pool: Pool, server: Server) -> list[FirmwareUpdate]:
    """Updates of the machines of `pool`, which are `server`, in their order. Images without a digest, which `check` refuses, are left out."""
    mirror = (site.software.file_mirror or site.software.apt_mirror).rstrip("/")
    spoken = firmware_practice.load().dialects.get(server.bmc.dialect if server.bmc else "")
    return [_update(mirror, image, spoken) for image in pool.firmware_images if image.sha256]


def _update(mirror: str, image: FirmwareImage, spoken: DialectFirmware | None) -> FirmwareUpdate:
    entries = [entry for name in image.components if spoken and (entry := spoken.component(name))]
    kinds: list[Activation] = [entry.activate for entry in entries] or ["none"]
    strongest: Activation = max(kinds, key=ORDER.index)
    paths = [
        (entry.target if spoken and (entry := spoken.component(name)) else "") or f"{INVENTORY}/{name}"
        for name in image.components
    ]
    oem = [spoken.parameters[name] for name in image.components if spoken and name in spoken.parameters]
    return FirmwareUpdate(
        url=f"{mirror}/{image.file}",
        sha256=(image.sha256 or "").removeprefix("sha256:").lower(),
        components=image.components,
        targets=[] if spoken and spoken.targets == "none" else list(dict.fromkeys(paths)),
        oem=oem[0] if oem else {},
        activate=image.activate or strongest,
        cycle=spoken.power_cycle if spoken else None,
    )
