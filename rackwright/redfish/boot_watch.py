"""Watches how far the boot of one machine is, through its BMC: each new stage is stored, then reported, and the last one explains a machine that does not come."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from rackwright.base.errors import OutsideError
from rackwright.model.access import Access
from rackwright.redfish import boot_stages, crawl, inventory
from rackwright.redfish.client import Client
from rackwright.redfish.machine_record import MachineRecord
from rackwright.redfish.resources.boot_progress import BootProgress

LOOK_SECONDS = 10.0
"""Between looks: each is a session of its BMC, and a boot takes minutes."""


class SeenBoot(NamedTuple):
    """What a BMC says of a boot."""

    power_state: str
    progress: BootProgress | None
    """None: it does not say."""
    document: dict[str, Any]
    """Of the system, as it came."""


Look = Callable[[], Awaitable[SeenBoot | None]]


async def look(address: str, access: Access) -> SeenBoot:
    """What the BMC at `address` says now. OutsideError where it cannot be reached."""
    async with Client(address, access) as client:
        documents = await crawl.crawl_systems(client)
    system = inventory.host_system(documents)
    document = documents.get(system.path, {})
    return SeenBoot(system.power_state, BootProgress.of(document), document)


class BootWatch:
    """One wait."""

    def __init__(self, observed: Look, record: MachineRecord, clock: Callable[[], float]) -> None:
        """`clock` in seconds: how long a stage lasts is measured here, since clocks of BMCs may be wrong."""
        self._look, self._record, self._clock = observed, record, clock
        self._looked: float | None = None
        self._last: SeenBoot | None = None
        self._since = 0.0

    async def news(self) -> str:
        """A sentence about a stage that is new; empty where none is, it is too early to look again, or the BMC says nothing."""
        if self._looked is not None and self._clock() - self._looked < LOOK_SECONDS:
            return ""
        self._looked = self._clock()
        try:
            observed = await self._look()
        except OutsideError:
            return ""  # a BMC that is busy or restarts says it at the next look
        if observed is None or (self._last and (observed.power_state, observed.progress) == self._last[:2]):
            return ""
        fields = {name: observed.document.get(name) for name in ("PowerState", "BootProgress")}
        self._record.note("boot", {"path": observed.document.get("@odata.id"), **fields})
        is_new = self._last is None or _stage(observed) != _stage(self._last)
        self._since = self._clock() if is_new else self._since
        self._last = observed
        return self._words() if is_new else ""

    def stopped(self) -> str:
        """Where the machine is now, for how long, and what to do; empty where its BMC says nothing."""
        words, seconds = self._words(), self._clock() - self._since
        if not words or self._last is None:
            return ""
        if self._last.power_state != "On":
            return f"{words} for {seconds:.0f} s: power it on"
        stage = self._last.progress.stage if self._last.progress else ""
        return f"{words} for {seconds:.0f} s: {boot_stages.advice(stage)}"

    def _words(self) -> str:
        if self._last is None or (self._last.power_state == "On" and self._last.progress is None):
            return ""
        if self._last.power_state != "On" or self._last.progress is None:
            return f"its BMC says {self._last.power_state or 'nothing of its power'}"
        return f"its boot is at {self._last.progress.words}"


def _stage(observed: SeenBoot) -> tuple[str, str]:
    return observed.power_state, observed.progress.words if observed.progress else ""
