"""Brings firmware that a BMC has taken into force: a restart of the BMC, a boot of the host, or the power of the machine taken away and given back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from rackwright.base.errors import OutsideError
from rackwright.model.resource import FirmwareUpdate, PowerCycle
from rackwright.redfish import crawl, inventory, plan
from rackwright.redfish.client import Client
from rackwright.redfish.crawler import Documents
from rackwright.redfish.reply import BmcError
from rackwright.redfish.resources.system import System
from rackwright.redfish.resources.text_members import word
from rackwright.redfish.update.task import TaskDeadline, Visit

MANAGER_RESET = "#Manager.Reset"
RESTARTS = ("GracefulRestart", "ForceRestart")
POWER_POLLS = 12
"""Looks at the power state, of the longest pause, after each kind of reset."""


async def activate(
    name: str, update: FirmwareUpdate, visit: Visit, deadline: TaskDeadline, log: Callable[[str], None]
) -> bool:
    """Do what `update` needs; False where it comes into force with the next power-on of a host that is off.

    OutsideError for a BMC that cannot take the power away.
    """
    if update.activate == "none":
        return True
    async with visit() as client:
        documents = await crawl.crawl_machine(client)
        system = inventory.host_system(documents)
        if update.activate == "bmc":
            await _restart_bmc(client, documents, system, log)
            return True
        if update.activate == "host":
            if system.power_state != "On":
                return False
            restart = plan.restart(system)
            await client.post(restart.path, restart.body)
            log(restart.says)
            return True
        target = _power_cycle(name, update, documents)
        was_on = system.power_state == "On"
        if was_on:
            await _switch(client, system, "Off", deadline)
        assert update.cycle is not None
        await client.post(target, {"ResetType": update.cycle.kind})
        log(f"has its power taken away and given back ({update.cycle.kind})")
    if was_on:
        await _back_on(visit, deadline)
    return True


async def _restart_bmc(client: Client, documents: Documents, system: System, log: Callable[[str], None]) -> None:
    managers = [documents[path] for path in system.managers if path in documents]
    managers += [document for document in documents.values() if word(document, "ManagerType") == "BMC"]
    action = next((action for manager in managers if (action := _action(manager, MANAGER_RESET))), None)
    if action is None:
        raise OutsideError(f"the BMC {client.address} offers no restart of itself: reset it by hand, then run again")
    listed = action.get("ResetType@Redfish.AllowableValues") or RESTARTS
    kind = next((kind for kind in RESTARTS if kind in listed), RESTARTS[0])
    await client.post(word(action, "target"), {"ResetType": kind})
    log(f"has its BMC restarted ({kind})")


def _power_cycle(name: str, update: FirmwareUpdate, documents: Documents) -> str:
    """Path of the action."""
    cycle: PowerCycle | None = update.cycle
    listed = [_action(document, cycle.action) for document in documents.values()] if cycle else []
    target = next((word(action, "target") for action in listed if action), cycle.target if cycle else "")
    if not target:
        raise OutsideError(
            f"{', '.join(update.components)} of {name} wait for an AC power cycle, which its BMC cannot do: shut the machine down, take its power "
            "cords or the outlets of its PDUs off for a minute, then run the same command again, which goes on from there"
        )
    return target


def _action(document: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    """The action `name`, of the schema or of the maker, wherever that puts it below ``Oem``."""
    layers = [document.get("Actions")]
    while layers:
        layer = layers.pop()
        if not isinstance(layer, Mapping):
            continue
        if isinstance(layer.get(name), Mapping):
            return layer[name]  # type: ignore[no-any-return]
        layers += [value for key, value in layer.items() if not key.startswith("#")]
        layers += [layer["Oem"]] if "Oem" in layer else []
    oem = document.get("Oem")
    maker = (
        [part.get("Actions") for part in oem.values() if isinstance(part, Mapping)] if isinstance(oem, Mapping) else []
    )
    return next((actions[name] for actions in maker if isinstance(actions, Mapping) and name in actions), None)


async def _switch(client: Client, system: System, power: str, deadline: TaskDeadline) -> None:
    """Power the host off, gently first, or on."""
    kinds = [kind for kind in plan.RESETS[power] if kind in system.reset_types] or list(plan.RESETS[power])
    for kind in kinds:
        await client.post(system.reset_path, {"ResetType": kind})
        for pause in deadline.pauses(POWER_POLLS * deadline.poll_seconds):
            if System.of(await client.get(system.path)).power_state == power:
                return
            await asyncio.sleep(pause)
    raise OutsideError(
        f"the machine behind BMC {client.address} does not go {power.lower()}: look at its console, then run again"
    )


async def _back_on(visit: Visit, deadline: TaskDeadline) -> None:
    """Power the host on again as it was, once its BMC answers: it boots its own way."""
    for pause in deadline.pauses(deadline.silent_seconds):
        try:
            async with visit() as client:
                system = inventory.host_system(await crawl.crawl_machine(client))
                if system.power_state != "On":
                    await _switch(client, system, "On", deadline)
                return
        except BmcError:
            await asyncio.sleep(pause)
    raise OutsideError(
        "the BMC does not answer after the power cycle: look at its network and its power supplies, then run again"
    )
