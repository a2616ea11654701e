"""Contacts addresses, reads the BMCs that answer, and stores each visit before anything is judged. Nothing is changed on a BMC.

Every address has its own time; one slow BMC holds up no other. The account goes only to what shows a Redfish service root first.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from yarl import URL

from rackwright.base.errors import OutsideError
from rackwright.base.tasks import as_they_end
from rackwright.discover.addresses import limits
from rackwright.discover.visits import BmcVisit, VisitStore
from rackwright.model.access import Access, BmcLogin
from rackwright.redfish.address import base_url
from rackwright.redfish.client import Client, RequestLimits
from rackwright.redfish.crawl import crawl_identity
from rackwright.redfish.crawler import Documents
from rackwright.redfish.reply import UNAUTHORIZED, BmcError, SilentBmcError

DECLARED, INITIAL = "declared", "initial"


@dataclass
class Caller:
    """How BMCs are reached, and how many refused or took the account so far."""

    access: Access
    initial: BmcLogin | None = None
    """The account that BMCs came with; None where nobody gave it."""
    endpoint: Callable[[str], str] = str
    """Where the BMC of an address listens: ``host`` or ``host:port``."""
    requests: RequestLimits = field(default_factory=lambda: RequestLimits(attempts=2))
    admitted: int = 0
    refused: int = 0

    def require_hope(self, address: str) -> None:
        """OutsideError once several BMCs refused the account and none took it: each of them counts a wrong password."""
        if self.refused >= limits()["refusals"] and not self.admitted:
            raise OutsideError(
                f"BMC {address} was not sent the account, which {self.refused} BMCs refused and none took: check the user and password in the environment "
                "variables that control.bmc of the site names, then run again with --resume"
            )


class SweptAddress(NamedTuple):
    """One try of an address."""

    address: str
    visit: BmcVisit | None
    silent: bool
    """Whether nobody answered, or not to the end."""


async def sweep_bmcs(
    addresses: Sequence[str], caller: Caller, store: VisitStore, expected: Collection[str] = ()
) -> AsyncIterator[tuple[str, BmcVisit | None]]:
    """Each address once it is through, with its visit; None where nobody answers. Visits are in `store` by then.

    BMCs that broke off, and those of the `expected` addresses that were silent, are tried once more when all others are through: one that starts takes a minute or two.
    """
    later = []
    async for attempt in _sweep_once(addresses, caller, store):
        if attempt.silent and (attempt.visit or attempt.address in expected):
            later.append(attempt.address)
        else:
            yield attempt.address, attempt.visit
    async for attempt in _sweep_once(later, caller, store):
        yield attempt.address, attempt.visit


async def _sweep_once(addresses: Sequence[str], caller: Caller, store: VisitStore) -> AsyncIterator[SweptAddress]:
    connects = asyncio.Semaphore(limits()["connects_at_once"])
    visits = asyncio.Semaphore(limits()["visits_at_once"])

    async def look(address: str) -> SweptAddress:
        async with connects:
            if not await _listens(caller.endpoint(address)):
                return SweptAddress(address, None, silent=True)
        async with visits:
            visit, silent = await _visit(address, caller)
        await asyncio.to_thread(store.write, visit)
        return SweptAddress(address, visit, silent)

    # As many as may wait for a connection, and as many again that are read or wait for it.
    async for result in as_they_end(
        (partial(look, address) for address in addresses), 2 * limits()["connects_at_once"]
    ):
        yield result


async def answering(addresses: Sequence[str], caller: Caller) -> list[str]:
    """Those of `addresses` at which something accepts connections."""

    async def look(address: str) -> str:
        return address if await _listens(caller.endpoint(address)) else ""

    work = (partial(look, address) for address in addresses)
    return sorted([address async for address in as_they_end(work, limits()["connects_at_once"]) if address])


async def _listens(endpoint: str) -> bool:
    """Whether a connection to the port of HTTPS is accepted."""
    url = URL(base_url(endpoint))
    try:
        async with asyncio.timeout(limits()["connect_seconds"]):
            _, writer = await asyncio.open_connection(url.host, url.port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return True


async def _visit(address: str, caller: Caller) -> tuple[BmcVisit, bool]:
    """The visit, and whether the BMC was silent in it."""
    now = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        async with asyncio.timeout(limits()["visit_seconds"]):
            account, documents = await _read(address, caller)
    except OutsideError as refused:
        return BmcVisit(address, now, error=str(refused)), isinstance(refused, SilentBmcError)
    except TimeoutError:
        seconds = limits()["visit_seconds"]
        words = f"BMC {address} was not read within {seconds} s: reset it if it hangs, then run again with --resume"
        return BmcVisit(address, now, error=words), True
    except Exception as broken:  # noqa: BLE001 - documents that make the reader stumble are this BMC's failure alone
        words = f"BMC {address} answered in a form that cannot be followed ({type(broken).__name__}: {broken})"
        return BmcVisit(address, now, error=words), False
    return BmcVisit(address, now, account, documents), False


async def _read(address: str, caller: Caller) -> tuple[str, Documents]:
    """By the declared account; where that is refused, by the one that BMCs come with. A BMC gets each for a session and with one request, and no more."""
    endpoint = caller.endpoint(address)
    declared = {endpoint: caller.access.bmc_account(address)}
    caller.require_hope(address)
    try:
        documents = await _documents(endpoint, replace(caller.access, bmc_accounts=declared), caller)
    except BmcError as refused:
        if refused.reason != UNAUTHORIZED:
            raise
        if caller.initial is None:
            caller.refused += 1
            raise
    else:
        caller.admitted += 1
        return DECLARED, documents
    try:
        documents = await _documents(endpoint, replace(caller.access, bmc_accounts={endpoint: caller.initial}), caller)
    except BmcError as refused:
        caller.refused += refused.reason == UNAUTHORIZED
        raise
    caller.admitted += 1
    return INITIAL, documents


async def _documents(endpoint: str, access: Access, caller: Caller) -> Documents:
    async with Client(endpoint, access, caller.requests, strangers=True) as client:
        return await crawl_identity(client)
