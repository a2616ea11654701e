"""How machines are reached: builds `Access` from the site and the environment. The twin sets the same variables."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from rackwright.base.errors import UsageError
from rackwright.model.access import Access, BmcLogin, Secret
from rackwright.model.design import Design
from rackwright.model.resource import MachineIdentity
from rackwright.model.site import Site
from rackwright.redfish.bmc_files import read_accounts, read_identities, read_pins
from rackwright.spec import site_lock


def from_site(site: Site, *, near: Path | None = None) -> Access:
    """The access to hosts and BMCs of `site`.

    ``RACKWRIGHT_SSH_USER``, ``RACKWRIGHT_SSH_KEY``, ``RACKWRIGHT_KNOWN_HOSTS``, ``RACKWRIGHT_BMC_CA``, ``RACKWRIGHT_MIRROR_KEY_SHA256`` and
    ``RACKWRIGHT_RPM_KEYS_SHA256`` override the site; the BMC account comes from the variables that ``control.bmc`` names. Relative CA paths start
    beside the site file `near`, and so does the lock with the key of the mirror. Raises UsageError if the account is not set, or a named CA file is
    missing; ProblemsError for an unreadable lock.
    """
    bmc, lock = site.control.bmc, site_lock.read_lock(near) if near else None
    missing = [name for name in (bmc.user_env, bmc.password_env) if not os.environ.get(name)]
    if missing:
        are = "are" if len(missing) > 1 else "is"
        raise UsageError(f"{' and '.join(missing)} {are} not set: export the account of the BMCs of site {site.site}")
    return replace(
        to_hosts(site),
        bmc_user=os.environ[bmc.user_env],
        bmc_password=Secret(os.environ[bmc.password_env]),
        bmc_ca=_authority(os.environ.get("RACKWRIGHT_BMC_CA"), bmc.ca_file, near),
        mirror_key=os.environ.get("RACKWRIGHT_MIRROR_KEY_SHA256") or (lock.mirror_key_sha256 if lock else ""),
        rpm_keys=os.environ.get("RACKWRIGHT_RPM_KEYS_SHA256") or (lock.rpm_keys_sha256 if lock else None) or "",
        repository_signers=tuple(os.environ.get("RACKWRIGHT_REPOSITORY_SIGNERS", "").split()),
        bmc_pins=pins(bmc_file(bmc.pins_file, near)),
        bmc_accounts=accounts(bmc_file(bmc.accounts_file, near)),
    )


def to_hosts(site: Site) -> Access:
    """The access to hosts only, without a BMC account."""
    ssh, user = site.control.ssh, os.environ.get("RACKWRIGHT_SSH_USER")
    return Access(
        ssh_user=user or ssh.user,
        collect_user=user or ssh.collect_user or "",
        ssh_key=_path(os.environ.get("RACKWRIGHT_SSH_KEY") or ssh.identity_file),
        known_hosts=_path(os.environ.get("RACKWRIGHT_KNOWN_HOSTS") or ssh.known_hosts_file),
        bmc_user="",
        bmc_password=Secret(""),
        bmc_ca=None,
    )


def bmc_file(declared: str | None, near: Path | None) -> Path | None:
    """Path of a file that ``control.bmc`` names, relative to the site file `near`; None if none is named."""
    if not declared:
        return None
    return near.parent / _path(declared) if near is not None else _path(declared)


def pins(path: Path | None) -> dict[str, str]:
    """The pinned certificates of BMCs; none before the first are recorded."""
    return read_pins(path) if path is not None and path.exists() else {}


def accounts(path: Path | None) -> dict[str, BmcLogin]:
    """The accounts of single BMCs. UsageError for a named file that is not there."""
    return read_accounts(path) if path is not None else {}


def identities(design: Design, near: Path | None) -> dict[str, MachineIdentity]:
    """Node -> the machine that the site declares for it; empty before the first are recorded. UsageError for an unknown node."""
    path = bmc_file(design.site.control.bmc.identities_file, near)
    declared = read_identities(path) if path is not None and path.exists() else {}
    unknown = declared.keys() - {node.name for node in design.nodes()}
    if unknown:
        raise UsageError(f"{path}: the site has no node {min(unknown)}: correct the name, or remove the line")
    return declared


def _authority(override: str | None, declared: str | None, near: Path | None) -> Path | None:
    if not override and not declared:
        return None
    path = _path(override or str(declared))
    if not override and near is not None:
        path = near.parent / path
    if not path.is_file():
        origin = "RACKWRIGHT_BMC_CA" if override else "control.bmc.ca_file"
        raise UsageError(f"{origin} names the CA file {path}, which is not there")
    return path


def _path(text: str) -> Path:
    return Path(text).expanduser()
