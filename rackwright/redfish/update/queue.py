"""Which machines are updated at the same time: few of a site and fewer of a rack; of one BMC one image after the other."""

from __future__ import annotations

import asyncio
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cached_property
from pathlib import Path

from rackwright.model.access import Access
from rackwright.model.resource import Machine
from rackwright.redfish import apply
from rackwright.redfish.client import Client, RequestLimits
from rackwright.redfish.concurrency import configured
from rackwright.redfish.update.bring import FirmwareChanger
from rackwright.redfish.update.image import FirmwareImages
from rackwright.redfish.update.record import UpdateRecord
from rackwright.redfish.update.task import TaskDeadline


class Updates:
    """The updates of one provider process."""

    def __init__(
        self, config: Mapping[str, str], deadline: TaskDeadline | None = None, limits: RequestLimits | None = None
    ) -> None:
        """`config` as `wire.CONFIG`: folder and numbers."""
        self._config = config
        self._site = asyncio.Semaphore(configured(config, "updatesAtOnce", "updates_at_once"))
        per_rack = configured(config, "updatesPerRack", "updates_per_rack")
        self._racks: defaultdict[str, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(per_rack))
        self._deadline, self._limits = deadline or TaskDeadline(), limits

    @cached_property
    def _folder(self) -> Path:
        return Path(self._config.get("recordsFolder") or tempfile.mkdtemp(prefix="rackwright-firmware-"))

    @cached_property
    def _images(self) -> FirmwareImages:
        return FirmwareImages(self._folder / "images")

    @asynccontextmanager
    async def machine(self, declared: Machine) -> AsyncIterator[None]:
        """A place for `declared`, where it may be updated in this run; machines that are not updated wait for none."""
        if not _is_asked(declared):
            yield
            return
        async with self._racks[declared.rack], self._site:
            yield

    async def bring(self, declared: Machine, access: Access, log: Callable[[str], None], accept: apply.Accept) -> None:
        """Bring the firmware of `declared` to its baseline, where that is requested, and `accept` knows the machine."""
        if not _is_asked(declared):
            return

        if declared.held:
            log(f"gets no firmware, which may need its power: {declared.held[0]}")
            return

        def visit() -> Client:
            return Client(declared.bmc_address, access, self._limits)

        accept((await apply.read_machine(declared.bmc_address, access)).identity)
        record = UpdateRecord(self._folder, declared.name)
        await FirmwareChanger(declared, visit, self._images, record, log, self._deadline).bring()


def _is_asked(declared: Machine) -> bool:
    return declared.flash and bool(declared.updates)
