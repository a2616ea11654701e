"""Accounts of SSH: the one that only collects evidence is not the one that does everything else."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """A collecting account that is root or the account of onboarding, which needs all of root's rights."""
    ssh = site.control.ssh
    if ssh.collect_user not in ("root", ssh.user):
        return
    message = "the account that only collects evidence has all of root's rights: onboarding and the gate need them"
    expected = "an account of its own, neither root nor control.ssh.user"
    step = "name another account, for which `rackwright sudoers SITE` prints what it may run as root, or leave it out"
    yield problem("control.ssh.collect_user", "collector_is_root", message, expected, ssh.collect_user, step)
