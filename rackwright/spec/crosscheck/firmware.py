"""Firmware baselines of pools: of components that the server has, with images that are pinned and in a mirror."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog, firmware_practice
from rackwright.catalog.firmware_practice import DialectFirmware
from rackwright.model.site import Pool, Site
from rackwright.spec.crosscheck.problem import problem


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Baselines that the server of a pool cannot have, and images that no machine can get."""
    for at, pool in enumerate(site.pools):
        server = catalog.servers.get(pool.server)
        dialect = server.bmc.dialect if server and server.bmc else ""
        if server is None:
            continue
        spoken = firmware_practice.load().dialects.get(dialect)
        yield from _baseline(f"pools[{at}].firmware", pool, spoken)
        if pool.firmware_images:
            yield from _way(f"pools[{at}].firmware_images", site, pool, spoken)
            yield from _images(f"pools[{at}].firmware_images", pool)


def _baseline(path: str, pool: Pool, spoken: DialectFirmware | None) -> Iterator[Problem]:
    """Components and versions that servers with such a BMC do not have; empty if nothing is published about them."""
    for name, version in pool.firmware.items() if spoken else ():
        assert spoken is not None
        entry = spoken.component(name)
        if entry is None:
            yield problem(
                f"{path}.{name}", "firmware_component", f"no baseline of {pool.server}: its BMC lists no component of this name",
                ", ".join(listed.names for listed in spoken.components), name,
                "name it as the firmware inventory of the BMC does, or remove it",
            )  # fmt: skip
        elif entry.form and not re.fullmatch(entry.form, version):
            yield problem(
                f"{path}.{name}", "firmware_version", f"no baseline of {pool.server}: versions of {name} look otherwise",
                f"a version such as {entry.example}", version, "take the version from the release notes of this server",
            )  # fmt: skip


def _way(path: str, site: Site, pool: Pool, spoken: DialectFirmware | None) -> Iterator[Problem]:
    """How images get from the mirror into the machines."""
    mirror = site.software.file_mirror or site.software.apt_mirror
    if spoken is None:
        yield problem(
            path, "firmware_no_way", f"it is not published how BMCs of {pool.server} take images", "no images", f"{len(pool.firmware_images)} images",
            "update these machines with the maker's tool, and remove the images: versions of firmware are compared all the same",
        )  # fmt: skip
    elif not mirror:
        yield problem(
            path, "firmware_mirror", "there is no mirror that has the images", "software.file_mirror", "nothing",
            "declare software.file_mirror, and put the files below it",
        )  # fmt: skip
    elif spoken.fetches and urlsplit(mirror).scheme not in spoken.fetches:
        yield problem(
            path, "firmware_mirror", f"BMCs of {pool.server} fetch images themselves, and not from this mirror",
            f"software.file_mirror with {' or '.join(spoken.fetches)}", mirror, "serve the mirror by one of them",
        )  # fmt: skip


def _images(path: str, pool: Pool) -> Iterator[Problem]:
    named: dict[str, str] = {}
    for number, image in enumerate(pool.firmware_images):
        place = f"{path}[{number}]"
        if image.sha256 is None:
            yield problem(
                f"{place}.sha256", "firmware_digest", "an image without a digest is sent to no machine", f"the SHA-256 of {image.file}",
                "nothing", "write the digest that its maker gives beside the file",
            )  # fmt: skip
        for name in image.components:
            if name not in pool.firmware:
                yield problem(
                    f"{place}.components", "firmware_no_version", f"the baseline has no version of {name}",
                    f"{name} in pools[].firmware", name, f"add {name} with the version of the image to firmware",
                )  # fmt: skip
            elif name in named:
                yield problem(
                    f"{place}.components", "firmware_twice", f"two images are for {name}", "one image", f"{named[name]} and {image.file}",
                    "remove one of them",
                )  # fmt: skip
            named.setdefault(name, image.file)
