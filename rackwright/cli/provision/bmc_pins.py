"""Records the certificates that BMCs show at first use, on request: from then on each must show the same."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import OutsideError, UsageError
from rackwright.redfish.bmc_files import read_pins
from rackwright.redfish.concurrency import limits
from rackwright.redfish.trust import certificate_pin


def record(path: Path | None, addresses: Iterable[str]) -> Iterator[str]:
    """Append the certificates of BMCs that have no line in `path` yet, and say what was done. UsageError when the site names no file."""
    if path is None:
        raise UsageError("the site names no file for certificates of BMCs: set control.bmc.pins_file, then run again")
    pinned = read_pins(path) if path.exists() else {}
    missing = [address for address in dict.fromkeys(addresses) if address not in pinned]
    displayed = asyncio.run(_displayed(missing))
    fresh = {address: pin for address, pin in displayed.items() if isinstance(pin, str)}
    text = path.read_text(encoding="utf-8") if path.exists() else "# SHA-256 of the certificate of each BMC\n"
    replace_file(path, text + "".join(f"{address} {pin}\n" for address, pin in fresh.items()))
    yield f"{len(fresh)} certificates of BMCs are recorded in {path}, {len(pinned)} were; compare them with what you know before you trust them"
    yield from (f"  {error}" for error in displayed.values() if isinstance(error, OutsideError))


async def _displayed(addresses: list[str]) -> dict[str, str | OutsideError]:
    """By address: the pin, or why there is none."""
    places = asyncio.Semaphore(limits()["log_ins_at_once"])

    async def look(address: str) -> str | OutsideError:
        async with places:
            try:
                return await certificate_pin(address)
            except OutsideError as silent:
                return silent

    return dict(zip(addresses, await asyncio.gather(*map(look, addresses)), strict=True))
