"""How machines are reached: malformed accounts, environment variables and time servers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem

USER = re.compile(r"[a-z_][a-z0-9_-]{0,31}")
"""A login name as useradd of Debian and Ubuntu takes it."""
VARIABLE = re.compile("[A-Za-z_][A-Za-z0-9_]*")
"""The name of an environment variable (POSIX.1-2017, base definitions, 3.235)."""
HOST = re.compile("[0-9A-Za-z:]([0-9A-Za-z.:-]*[0-9A-Za-z:])?")


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Fields of ``control`` that name accounts and time servers."""
    control = site.control
    if not USER.fullmatch(control.ssh.user):
        expected, step = "a login name", "name the account that nodes are reached with"
        yield problem("control.ssh.user", "not_a_user", "this is not a login name", expected, control.ssh.user, step)
    for field in ("user_env", "password_env"):
        name = getattr(control.bmc, field)
        if not VARIABLE.fullmatch(name):
            message, expected = "this is not the name of an environment variable", "letters, digits and underscores"
            step = "name the variable, and put the account into it"
            yield problem(f"control.bmc.{field}", "not_a_variable", message, expected, name, step)
    for i, server in enumerate(control.ntp_servers):
        if not HOST.fullmatch(server):
            expected, step = "an address or a host name", "write one of them"
            yield problem(
                f"control.ntp_servers[{i}]", "not_a_host", "this is not a time server", expected, server, step
            )
