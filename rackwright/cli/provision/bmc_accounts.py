"""Gives BMCs the accounts that the site declares, by the account that they came with, on request."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable, Iterator

from rackwright.base.errors import OutsideError, UsageError
from rackwright.model.access import Access, BmcLogin, Secret
from rackwright.model.control import Bmc
from rackwright.redfish.concurrency import limits
from rackwright.redfish.rotate import rotate


def declare(bmc: Bmc, access: Access, addresses: Iterable[str]) -> Iterator[str]:
    """A line for every BMC: what was done. UsageError when the account that they came with is not in the environment."""
    names = (bmc.initial_user_env, bmc.initial_password_env)
    missing = [name for name in names if not os.environ.get(name)]
    if missing:
        raise UsageError(f"{' and '.join(missing)} not set: export the account that the BMCs came with")
    initial = BmcLogin(os.environ[names[0]], Secret(os.environ[names[1]]))
    yield from asyncio.run(_declared(access, initial, list(dict.fromkeys(addresses))))


async def _declared(access: Access, initial: BmcLogin, addresses: list[str]) -> list[str]:
    places = asyncio.Semaphore(limits()["account_changes_at_once"])

    async def visit(address: str) -> str:
        async with places:
            try:
                return await rotate(address, access, initial)
            except OutsideError as refused:
                return str(refused)

    return list(await asyncio.gather(*map(visit, addresses)))
