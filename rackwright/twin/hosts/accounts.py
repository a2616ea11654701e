"""Accounts of a site on the hosts of its twin, as an installer leaves them: with the site's key and their sudo rules.

If one of them is the account of onboarding, root does not log in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rackwright.base.elevation import ROOT
from rackwright.collect import collector, sudoers
from rackwright.model.design import Design
from rackwright.twin import systems
from rackwright.twin.hosts.host_files import file, folder

FIRST_NUMBER = 1500
"""Number of the first of them: above 1000, which vendors give their own (HwHiAiUser of Ascend; role ascend_driver)."""
EVERYTHING = "# User rules for {user}\n{user} ALL=(ALL) NOPASSWD:ALL\n"
"""What cloud-init writes for the account of an image (cloudinit/distros/__init__.py, write_sudo_rules; secondary, 2026-11-26)."""
DEVICE_GROUPS = ("render", "video")
"""Groups of the account that only collects: those of the device files of AMD accelerators (AMD, ROCm installation, prerequisites)."""


@dataclass(frozen=True)
class HostAccount:
    """One account."""

    name: str
    number: int
    onboards: bool
    """Whether it has all of root's rights."""
    rules: str
    """Text of ``/etc/sudoers.d/NAME``."""
    groups: tuple[str, ...] = ()
    """Groups of the system that it is in, where there are such."""

    @property
    def owner(self) -> tuple[int, int]:
        """User id and group id."""
        return self.number, self.number

    @property
    def home(self) -> str:
        """Home folder of the account."""
        return f"/home/{self.name}"


def of_site(design: Design, nodes: Sequence[str]) -> tuple[HostAccount, ...]:
    """The accounts of ``control.ssh`` besides root, that of onboarding first."""
    ssh = design.site.control.ssh
    rules = {ssh.user: EVERYTHING.format(user=ssh.user)} if ssh.user != ROOT else {}
    if ssh.collect_user:
        asks = sudoers.commands(design, nodes, collector.library(design.roots))
        rules[ssh.collect_user] = sudoers.fragment(ssh.collect_user, asks)
    return tuple(
        HostAccount(name, FIRST_NUMBER + number, name == ssh.user, text, () if name == ssh.user else DEVICE_GROUPS)
        for number, (name, text) in enumerate(rules.items())
    )


def first_files(accounts: Sequence[HostAccount], system: systems.HostSystem) -> list[dict[str, Any]]:
    """Account files and sudo rules before any role has run; empty without accounts."""
    if not accounts:
        return []
    files = system.with_accounts(
        {account.name: (account.number, account.groups) for account in accounts}
    ).account_files()
    return [
        *(file(path, text, mode) for path, (text, mode) in files.items()),
        *(file(f"/etc/sudoers.d/{account.name}", account.rules, 0o440) for account in accounts),
    ]


def login_files(accounts: Sequence[HostAccount], public_key: str) -> list[dict[str, Any]]:
    """Home folders with the key of the site; root's if no other account is used for onboarding."""
    files = (
        [] if any(account.onboards for account in accounts) else [file("/root/.ssh/authorized_keys", public_key, 0o600)]
    )
    for account in accounts:
        keys = file(f"{account.home}/.ssh/authorized_keys", public_key, 0o600)
        files += [folder(account.home, account.owner), folder(f"{account.home}/.ssh", account.owner)]
        files.append({**keys, "owner": account.owner})
    return files
