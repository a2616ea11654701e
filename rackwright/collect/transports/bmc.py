"""Queries many BMCs, rack PDUs or CDUs at once over Redfish; every failure becomes an `Output` with one sentence.

A slow BMC delays no other: documents that did not arrive in time are omitted, with the reason.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import UTC, datetime
from functools import partial

from rackwright import __version__
from rackwright.base.errors import OutsideError
from rackwright.base.tasks import as_they_end
from rackwright.collect.output import Ask, Output
from rackwright.model.access import Access
from rackwright.redfish import concurrency, crawl, crawl_plant
from rackwright.redfish.client import Client, RequestLimits
from rackwright.redfish.crawler import Documents
from rackwright.redfish.reply import OverLimitError

Reader = Callable[[Client, float], Awaitable[Documents]]


async def _machine(client: Client, seconds: float) -> Documents:
    return await crawl.crawl_machine(client, with_readings=True, seconds=seconds, now=partial(datetime.now, UTC))


READERS: Mapping[str, Reader] = {
    "redfish": _machine,
    "redfish rack_pdu": crawl_plant.rack_pdu,
    "redfish power_shelf": crawl_plant.power_shelf,
    "redfish cdu": crawl_plant.cdu,
}
"""Library of the collector -> the function that walks over the documents."""


async def ask_bmcs(
    bmcs: Mapping[str, str], question: Ask, access: Access, limits: RequestLimits | None = None
) -> AsyncIterator[Output]:
    """Yield an Output for every BMC (node -> address), in the order of completion."""

    async def visit(node: str, address: str) -> Output:
        return await _walk(node, question, Client(address, access, limits))

    async for output in as_they_end(
        (partial(visit, *bmc) for bmc in bmcs.items()), concurrency.limits()["machines_at_once"]
    ):
        yield output


async def _walk(node: str, question: Ask, bmc: Client) -> Output:
    clock = asyncio.get_running_loop().time
    started = clock()
    documents, error = b"", ""
    try:
        async with asyncio.timeout(question.seconds) as log_in, bmc as client:
            log_in.reschedule(None)  # from here on, each answer has a limit, and the walk ends by itself
            read = READERS.get(question.library, _machine)
            documents = json.dumps(await read(client, question.seconds), sort_keys=True).encode()
    except OverLimitError as excess:
        documents, error = excess.beginning, str(excess)
    except OutsideError as refused:
        error = str(refused)
    except TimeoutError:
        error = f"BMC {bmc.address} did not answer the login within {question.seconds:g} s: reset it if it hangs"
    except Exception as broken:  # noqa: BLE001 - documents that break the reader are the failure of this BMC alone
        error = f"BMC {bmc.address} answered in a form that cannot be followed ({type(broken).__name__}: {broken})"
    return Output(
        node=node,
        collector=question.collector,
        subject=question.subject,
        stdout=documents,
        rc=None if error else 0,
        seconds=clock() - started,
        error=error,
        tool=f"rackwright redfish {__version__}",
    )
