"""The operating systems that hosts of the twin can have, one table each: what the site's image holds before any role has run.

What stands behind a system are the programs of the machine below; names, versions, files and accounts are those of the table.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, Self

from rackwright.base import yaml_text
from rackwright.base.errors import Problem, ProblemsError
from rackwright.model.base import Record
from rackwright.model.design import Design
from rackwright.model.site import Software

FOLDER = Path(__file__).parent
LOCKED = "*"
"""Password of an account that nobody logs in to by password (shadow(5))."""


class HostSystem(Record):
    """One operating system."""

    source: str
    date: object
    title: str
    id: str
    """ID of os-release, as vendors write it into the names of suites and packages."""
    version: str
    codename: str
    packager: Literal["dpkg", "rpm"] = "dpkg"
    """Whose database the packages of its hosts are in."""
    timezone: str
    locale: str
    """Text of /etc/default/locale, or of /etc/locale.conf (locale.conf(5)) where rpm is the package manager."""
    signer: str
    """Signer of the modules of the system's kernels (`modinfo -F signer`)."""
    compiler: str
    """What the system's kernels were built by and with (/proc/version)."""
    os_release: str
    enabled: list[str] = []
    """Units that the installer enabled, besides those whose packages do so when they are installed."""
    files: dict[str, str]
    """Further files of the system, which no package of the twin's mirror brings."""
    users: str
    """/etc/passwd"""
    groups: str
    """/etc/group, entries between blanks."""
    provides: dict[str, list[str]] = {}
    """Names that packages of the image provide besides their own, as far as other packages require them."""
    packages: dict[str, str]
    """Packages that the image has besides those of the mirror marked `preinstalled`, with their versions."""
    packages_of: dict[str, dict[str, str]] = {}
    """By SKU of a server: packages that the maker's image has on it alone."""

    @property
    def variables(self) -> dict[str, str]:
        """What definitions of packages may name of the system."""
        return {"system_id": self.id, "system_version": self.version, "codename": self.codename}

    @property
    def release(self) -> dict[str, str]:
        """What os-release says, by key."""
        pairs = [line.partition("=")[::2] for line in self.os_release.splitlines() if line]
        return {key: "".join(shlex.split(value)) for key, value in pairs}

    def on_server(self, sku: str) -> Self:
        """The system as it is on a server."""
        return self.model_copy(update={"packages": self.packages | self.packages_of.get(sku, {})})

    def account_files(self) -> dict[str, tuple[str, int]]:
        """The files of passwd(5), shadow(5), group(5), gshadow(5) and subuid(5): path -> text and mode."""
        users = [line.split(":") for line in self.users.splitlines()]
        groups = [entry.split(":") for entry in self.groups.split()]
        return {
            "/etc/passwd": (self.users, 0o644),
            "/etc/shadow": ("".join(f"{user[0]}:{LOCKED}:20000:0:99999:7:::\n" for user in users), 0o640),
            "/etc/group": ("".join(":".join(group) + "\n" for group in groups), 0o644),
            "/etc/gshadow": ("".join(f"{group[0]}:{LOCKED}::{group[3]}\n" for group in groups), 0o640),
            "/etc/subuid": ("", 0o644),
            "/etc/subgid": ("", 0o644),
        }

    def with_accounts(self, accounts: Mapping[str, tuple[int, Iterable[str]]]) -> Self:
        """The same system with further `accounts`, each with its number and the groups that it is in where the system has them."""
        lines = [f"{name}:x:{number}:{number}::/home/{name}:/bin/bash\n" for name, (number, _) in accounts.items()]
        entries = [
            *(entry.split(":") for entry in self.groups.split()),
            *([name, "x", str(number), ""] for name, (number, _) in accounts.items()),
        ]
        members = {group: [name for name, (_, groups) in accounts.items() if group in groups] for group, *_ in entries}
        groups = [
            [group, mark, number, ",".join(filter(None, [before, *members[group]]))]
            for group, mark, number, before in entries
        ]
        return self.model_copy(update={"users": self.users + "".join(lines), "groups": " ".join(map(":".join, groups))})

    def ids(self, user: str) -> tuple[int, int]:
        """Numbers of a user and of its first group; KeyError for one that the system does not have."""
        for line in self.users.splitlines():
            name, _, uid, gid, *_ = line.split(":")
            if name == user:
                return int(uid), int(gid)
        raise KeyError(user)


def names() -> tuple[str, ...]:
    """Names of the systems that there is a table for, as the bill writes them."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


@cache
def load(name: str) -> HostSystem:
    """The table of `name` (``ubuntu-24.04``). ProblemsError for a system without one."""
    if name not in names():
        raise ProblemsError([_unknown_system(name)])
    return HostSystem.model_validate(_table(name))


def _table(name: str) -> dict[str, Any]:
    """The table of `name`; what it leaves out is that of the system it is `like`, and mappings are joined key by key,
    where null takes one away."""
    table: dict[str, Any] = yaml_text.load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    if "like" not in table:
        return table
    common = _table(table.pop("like"))
    joined = {key: {**common.get(key, {}), **value} for key, value in table.items() if isinstance(value, dict)}
    present = {key: {name: text for name, text in value.items() if text is not None} for key, value in joined.items()}
    return {**common, **table, **present}


def of_the_site(software: Software) -> tuple[str, ...]:
    """Every distribution that the site installs packages of: that of its common bill first."""
    bills = [software.bill(pool).base for pool in software.pools]
    return tuple(dict.fromkeys([software.base, *bills]))


def of_nodes(design: Design, nodes: Iterable[str]) -> dict[str, str]:
    """Declared system of each of `nodes`."""
    return {node: design.site.software.bill(design.node(node).pool).system for node in nodes}


def _unknown_system(name: str) -> Problem:
    return Problem(
        place="software",
        path="software.os",
        message="the twin has no hosts with this system",
        expected=", ".join(names()),
        found=name,
        next_step="declare one of these systems",
        code="twin.unknown_system",
    )
