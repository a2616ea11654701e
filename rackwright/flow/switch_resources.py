"""The life cycle of ``rackwright:index:SwitchConfig``: compared, applied with a timer on the switch, confirmed; deleted
without touching the switch.

A switch that already runs its configuration is adopted as it is. Account, key and host keys come from the configuration
of the provider, never from inputs or state.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

from rackwright.base.errors import OutsideError
from rackwright.catalog import switch_practice
from rackwright.configure import bring, records
from rackwright.configure.bring import Bringing, SwitchResult
from rackwright.configure.driver import SwitchDriver
from rackwright.configure.masking import masked
from rackwright.configure.systems import DRIVERS, REFUSED
from rackwright.model.access import Access, Secret
from rackwright.model.resource import DeclaredSwitch
from rackwright.plugin import switch_wire
from rackwright.plugin.drift import Drift
from rackwright.plugin.lifecycle import Adopted, Properties, Say

MOST_LINES = 40
"""Lines of a change that are logged; all of them are stored."""
SETTINGS = ("switchUser", "sshKey", "knownHosts")


class SwitchConfigs:
    """All switches of one provider process (`lifecycle.Lifecycle`)."""

    farewell = "leaves the stack; the switch runs what it runs"

    def __init__(self, setting: Callable[[str], str], pause: Callable[[float], None] = time.sleep) -> None:
        """`setting` returns a value of the provider configuration; empty if it is not set."""
        self._setting, self._pause = setting, pause

    def failures(self, inputs: Properties, unknown: set[str]) -> list[tuple[str, str]]:
        """See `switch_wire.failures`."""
        system = str(inputs.get("system"))
        unapplied = {} if system in DRIVERS else {system: REFUSED.get(system, f"expected {' or '.join(DRIVERS)}")}
        return switch_wire.failures(inputs, unknown, unapplied)

    def identity(self, inputs: Properties) -> str:
        """The name of the switch."""
        return str(inputs["name"])

    async def differences(self, state: Properties, inputs: Properties) -> Drift:
        """Differences from the record; a switch that runs something else by the last refresh has drifted."""
        changed = [name for name in switch_wire.INPUTS if state.get(name) != inputs.get(name)]
        drifted = ["differences"] if state.get("differences") else []
        return Drift(changed, drifted, [name for name in changed if name == "name"])

    async def bring(self, inputs: Properties, seconds: float, say: Say) -> Properties:  # noqa: ARG002 - the switch has a timer of its own
        """Apply and confirm the configuration. OutsideError if the switch does not run it afterwards."""
        result = await asyncio.to_thread(self._visit, inputs, bring.bring)
        for line in result.lines[:MOST_LINES]:
            await say(line)
        if len(result.lines) > MOST_LINES:
            await say(f"and {len(result.lines) - MOST_LINES} lines more")
        if not result.well:
            raise OutsideError(f"{result.name}: {result.outcome}: {result.sentence}")
        return {**inputs, "differences": []}

    async def adopt(self, identity: str) -> Adopted:
        """The inputs for the switch named by ``SYSTEM@ADDRESS``, read from it; files that hold secrets are marked."""
        inputs = (await asyncio.to_thread(self._observed, imported_switch(identity))).model_dump()
        secret: set[tuple[str | int, ...]] = {
            ("files", name) for name, text in inputs["files"].items() if masked(text) != text
        }
        return Adopted(inputs, secret)

    async def read(self, inputs: Properties) -> Properties | None:
        """The inputs with the current differences of the switch. OutsideError if it cannot be compared."""
        if not inputs.get("name"):
            return None
        result = await asyncio.to_thread(self._visit, inputs, bring.compare)
        if result.outcome not in ("same", "differs"):
            raise OutsideError(f"{result.name}: {result.outcome}: {result.sentence}")
        return {**inputs, "differences": list(result.lines)}

    def _visit(
        self, inputs: Properties, act: Callable[[DeclaredSwitch, SwitchDriver, Bringing], SwitchResult]
    ) -> SwitchResult:
        declared = switch_wire.declared(inputs)
        keep = self._keeper()
        result = act(declared, DRIVERS[declared.system], self._bringing(declared, keep))
        keep(result)
        return result

    def _observed(self, at: DeclaredSwitch) -> DeclaredSwitch:
        return bring.observe(at, DRIVERS[at.system], self._bringing(at, lambda _: None))

    def _bringing(self, declared: DeclaredSwitch, keep: Callable[[SwitchResult], None]) -> Bringing:
        from rackwright.flow import switch_sessions  # paramiko takes a time that a stack without switches need not wait

        connect = switch_sessions.with_account(self._access(), declared.port)
        return Bringing(connect, switch_practice.load().applying.confirm_seconds, self._pause, keep)

    def _keeper(self) -> Callable[[SwitchResult], None]:
        """A function that stores results of one visit, if the provider's configuration names a folder."""
        folder = self._setting("switchRecords")
        place = Path(folder) / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
        return lambda result: records.store(place, [result] if folder else [])

    def _access(self) -> Access:
        user, key, known_hosts = (self._setting(name) for name in SETTINGS)
        if missing := [name for name in SETTINGS if not self._setting(name)]:
            raise OutsideError(
                f"how switches are reached is not set: set {' and '.join(missing)} of the provider, then run again"
            )
        return Access(user, Path(key), Path(known_hosts), "", Secret(""), None, limited=True)


def imported_switch(identity: str) -> DeclaredSwitch:
    """The switch named by ``SYSTEM@ADDRESS`` or ``SYSTEM@ADDRESS:PORT``, without anything read from it.

    OutsideError for any other text.
    """
    system, _, place = identity.partition("@")
    try:
        url = urlsplit(f"//{place}")
        address, port = url.hostname or "", url.port or DeclaredSwitch.model_fields["port"].default
    except ValueError:
        address, port = "", 0
    if system not in DRIVERS or not address:
        raise OutsideError(
            f"a switch is imported as SYSTEM@ADDRESS, with one of {', '.join(DRIVERS)} as its system (cumulus@10.0.0.7, or :PORT behind it); found {identity}"
        )
    return DeclaredSwitch(name="", address=address, system=system, model="", files={}, port=port)
