"""How many BMCs are worked on at the same time, by site, rack and BMC: ``concurrency.yaml``."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

from rackwright.base import yaml_text


@cache
def limits() -> dict[str, int]:
    """``concurrency.yaml``; each number has its reason there."""
    values: dict[str, int] = yaml_text.load(Path(__file__).with_name("concurrency.yaml").read_text(encoding="utf-8"))
    return values


def configured(config: Mapping[str, str], setting: str, limit: str) -> int:
    """The `setting` of the provider (`wire.CONFIG`); where the site declares none, the `limit` of ``concurrency.yaml``."""
    return int(config.get(setting) or limits()[limit])


class PowerOns:
    """Which machines of a rack may start at the same time."""

    def __init__(self, config: Mapping[str, str]) -> None:
        """`config` as `wire.CONFIG`."""
        per_rack = configured(config, "powerOnsPerRack", "power_ons_per_rack")
        self._seconds = configured(config, "powerOnSeconds", "power_on_seconds")
        self._racks: defaultdict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(per_rack))

    @asynccontextmanager
    async def place(self, rack: str) -> AsyncIterator[None]:
        """A place for a machine of `rack` that is about to start; the next one gets it some seconds after this one has.

        A machine of which no rack is known waits for none.
        """
        if not rack:
            yield
            return
        places = self._racks[rack]
        await places.acquire()
        try:
            yield
        finally:
            asyncio.get_running_loop().call_later(self._seconds, places.release)
