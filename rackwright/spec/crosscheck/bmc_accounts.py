"""Accounts of BMCs: each name once, with a password where it lets somebody in."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Accounts that are listed twice, and enabled ones without a password."""
    names: set[str] = set()
    for at, account in enumerate(site.control.bmc.accounts):
        path = f"control.bmc.accounts[{at}]"
        if account.name in names:
            yield problem(
                f"{path}.name", "bmc_account_twice", "an account of the BMCs is listed twice", "a name once", account.name, "leave one of the two out",
            )  # fmt: skip
        names.add(account.name)
        if account.enabled and not account.password_env:
            yield problem(
                f"{path}.password_env", "bmc_account_without_password", f"the account {account.name} is enabled and has no password",
                "the name of the environment variable with its password", "nothing", "name the variable, or set enabled: false",
            )  # fmt: skip
