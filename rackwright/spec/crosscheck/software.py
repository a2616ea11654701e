"""Software and access: versions, addresses and names that are none, and versions that must be the same.

In: site. Out: problems with the field path. Said before anything is installed, for a slip here would only show on the nodes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from rackwright.catalog import Catalog
from rackwright.errors import Problem
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem

VERSION = re.compile(r"[0-9][0-9A-Za-z.+~:-]*")
USER = re.compile(r"[a-z_][a-z0-9_-]{0,31}")
"""A login name as useradd of Debian and Ubuntu takes it."""
VARIABLE = re.compile("[A-Za-z_][A-Za-z0-9_]*")
"""The name of an environment variable (POSIX.1-2017, base definitions, 3.235)."""
HOST = re.compile("[0-9A-Za-z:]([0-9A-Za-z.:-]*[0-9A-Za-z:])?")
PARTS = ("driver", "fabric_manager", "cuda", "nccl", "dcgm", "container_toolkit")


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Every field of ``software``, and those of ``control`` that name accounts and time servers."""
    software = site.software
    for part in PARTS:
        text = getattr(software, part)
        if not VERSION.fullmatch(text):
            step = "write the version as the package has it"
            yield problem(f"software.{part}", "not_a_version", "this is no version", "a version (1.2.3)", text, step)
    if software.fabric_manager != software.driver:
        message = "the fabric manager is of another version than the driver, and would not start"
        expected, step = f"{software.driver}, as the driver", "give both one version"
        yield problem("software.fabric_manager", "version_mismatch", message, expected, software.fabric_manager, step)
    if not _is_url(software.apt_mirror):
        expected, step = "a URL (http://10.64.0.2:8080/apt)", "write the address of the mirror"
        yield problem("software.apt_mirror", "not_a_url", "this is no URL", expected, software.apt_mirror, step)
    yield from _access(site)


def _access(site: Site) -> Iterator[Problem]:
    control = site.control
    if not USER.fullmatch(control.ssh.user):
        expected, step = "a login name", "name the account that nodes are reached with"
        yield problem("control.ssh.user", "not_a_user", "this is no login name", expected, control.ssh.user, step)
    for field in ("user_env", "password_env"):
        name = getattr(control.bmc, field)
        if not VARIABLE.fullmatch(name):
            message, expected = "this is no name of an environment variable", "letters, digits and underscores"
            step = "name the variable, and put the account into it"
            yield problem(f"control.bmc.{field}", "not_a_variable", message, expected, name, step)
    for i, server in enumerate(control.ntp_servers):
        if not HOST.fullmatch(server):
            expected, step = "an address or a host name", "write one of them"
            yield problem(f"control.ntp_servers[{i}]", "not_a_host", "this is no time server", expected, server, step)


def _is_url(text: str) -> bool:
    """True for an http or https URL with a host and without blanks."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and not re.search(r"\s", text)
    except ValueError:
        return False
