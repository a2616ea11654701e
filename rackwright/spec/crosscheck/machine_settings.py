"""Secure Boot, power caps and wipes of pools: only where the BMCs of their servers have them."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog, setting_practice
from rackwright.model.server import Server
from rackwright.model.site import Pool, Site
from rackwright.spec.crosscheck.problem import problem


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """What the machines of a pool cannot be set to over Redfish, and caps that hold nothing back."""
    for at, pool in enumerate(site.pools):
        if server := catalog.servers.get(pool.server):
            has = setting_practice.of_dialect(server.bmc.dialect if server.bmc else "")
            yield from _secure_boot(f"pools[{at}].secure_boot", pool, has)
            yield from _cap(f"pools[{at}].power_cap_watts", pool, server, has)
            yield from _wipe(f"pools[{at}].wipe", pool, server, has)


def _secure_boot(path: str, pool: Pool, has: setting_practice.DialectSettings) -> Iterator[Problem]:
    if pool.secure_boot is None:
        return
    if not has.secure_boot:
        yield problem(
            path, "secure_boot_not_shown", f"no published tree of the BMC of {pool.server} shows Secure Boot", "nothing", str(pool.secure_boot).lower(),
            "set it in the setup of each machine, and remove the key",
        )  # fmt: skip
    elif pool.secure_boot and has.secure_boot == "SetupMode":
        yield problem(
            path, "secure_boot_without_keys", f"{pool.server} comes without a platform key (SetupMode): Secure Boot cannot be switched on over Redfish",
            "false, or nothing", "true", "enrol the keys in the setup of each machine and switch it on there, and remove the key from the site",
        )  # fmt: skip


def _cap(path: str, pool: Pool, server: Server, has: setting_practice.DialectSettings) -> Iterator[Problem]:
    watts = pool.power_cap_watts
    if watts is None:
        return
    if not has.power_cap:
        yield problem(
            path, "power_cap_not_offered", f"the BMC of {pool.server} offers no power cap over Redfish, or one that switches the machine off",
            "nothing", f"{watts}", "cap these machines with the maker's tool, and remove the key",
        )  # fmt: skip
    if watts >= server.peak_watts:
        yield problem(
            path, "power_cap_above_peak", f"{pool.server} draws {server.peak_watts} W at most, so that this cap holds nothing back",
            f"less than {server.peak_watts}", f"{watts}", "lower it, or remove the key",
        )  # fmt: skip


def _wipe(path: str, pool: Pool, server: Server, has: setting_practice.DialectSettings) -> Iterator[Problem]:
    if pool.wipe == "none":
        return
    if server.local_storage is None:
        yield problem(
            path, "wipe_without_drives", f"the catalogue lists no local drives of {pool.server}, so that none can be missed", "none", pool.wipe,
            "choose a server with local_storage, or remove the key",
        )  # fmt: skip
    elif pool.wipe not in has.erase:
        offered = " or ".join(has.erase)
        yield problem(
            path, "wipe_not_offered", f"the BMC of {pool.server} erases its drives {f'by {offered} alone' if offered else 'by no request'}",
            " or ".join([*has.erase, "none"]), pool.wipe,
            "declare what it offers, or erase these drives with the maker's tool (`nvme sanitize` from a system without disks) and remove the key",
        )  # fmt: skip
