"""Requests to wipe machines: carried out once each, for machines whose policy allows it, and what is known of earlier ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rackwright.base.errors import OutsideError
from rackwright.model.access import Access
from rackwright.model.resource import Machine
from rackwright.redfish import apply
from rackwright.redfish.client import Client, RequestLimits
from rackwright.redfish.update.task import TaskDeadline
from rackwright.redfish.wipe.erase import DriveEraser
from rackwright.redfish.wipe.record import WipeRecord


class Wipes:
    """The wipes of one provider process."""

    def __init__(
        self, config: Mapping[str, str], deadline: TaskDeadline | None = None, limits: RequestLimits | None = None
    ) -> None:
        """`config` as `wire.CONFIG`."""
        folder = config.get("wipeRecords")
        self._folder = Path(folder) if folder else None
        self._deadline, self._limits = deadline or TaskDeadline(), limits

    async def carry_out(
        self, declared: Machine, access: Access, log: Callable[[str], None], accept: apply.Accept
    ) -> None:
        """Erase the drives of `declared`, where that is requested and `accept` knows the machine. OutsideError as `DriveEraser.carry_out`."""
        if not declared.erase or declared.wipe == "none":
            return
        if self._folder is None:
            raise OutsideError(
                f"no drive of {declared.name} was erased: there is no folder for its evidence; set wipeRecords of the provider, then run again"
            )
        record = WipeRecord(self._folder, declared.name)
        if record.is_carried_out(declared.erase):
            return

        def visit() -> Client:
            return Client(declared.bmc_address, access, self._limits)

        accept((await apply.read_machine(declared.bmc_address, access)).identity)
        await DriveEraser(declared, visit, record, log, self._deadline).carry_out()

    def last_wipe(self, name: str) -> dict[str, Any]:
        """Output ``wiped`` of the machine `name`; empty where it was never wiped."""
        last = WipeRecord(self._folder, name).last() if self._folder else ""
        return {"wiped": last} if last else {}

    def left_open(self, name: str) -> list[str]:
        """A sentence where a wipe of the machine `name` broke off."""
        record = WipeRecord(self._folder, name) if self._folder else None
        rest = record.unfinished() if record else []
        if not record or not rest:
            return []
        last = [entry for entry in rest if entry["kind"] == "asked"][-1]
        count = len(record.erased(last["request"]))
        return [
            f"its wipe of {rest[0]['at']} is not finished: {count} of {len(last['drives'])} drives are erased; `rackwright up SITE --wipe {name}` erases all of them"
        ]
