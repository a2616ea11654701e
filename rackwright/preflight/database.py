"""The database of the ledger, where a team shares one: it is looked at and stays as it is."""

from __future__ import annotations

import asyncio

from rackwright.base.errors import OutsideError, UsageError
from rackwright.ledger import schema_of
from rackwright.preflight.result import ProbeError, ProbeReading


async def ask(url: str) -> ProbeReading:
    """Which schema the database at `url` has; ProbeError when it cannot be opened."""
    try:
        schema, newest = await asyncio.to_thread(schema_of, url)
    except (OutsideError, UsageError) as error:
        raise ProbeError(str(error)) from None
    if not schema:
        return ProbeReading("answers, and is empty: the first run makes the ledger")
    if schema > newest:
        raise ProbeError(
            f"the ledger has schema {schema}, and this rackwright knows {newest}: upgrade rackwright here as well"
        )
    return ProbeReading(
        f"answers, schema {schema}" + ("" if schema == newest else f"; the next run brings it to {newest}")
    )
