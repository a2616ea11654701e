"""Brings one machine to its declared state through its BMC: reads, plans, carries out, and waits for the result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field

from rackwright.base.errors import OutsideError
from rackwright.model.access import Access
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.resource import Machine, MachineIdentity
from rackwright.redfish import crawl, identity, inventory, plan
from rackwright.redfish.bios import BiosView, read_bios, require_allowed, stage
from rackwright.redfish.client import Client
from rackwright.redfish.concurrency import PowerOns
from rackwright.redfish.firmware import Component, read_firmware
from rackwright.redfish.resources.system import System


@dataclass(frozen=True)
class PowerStateDeadline:
    """How long a machine may take to reach a power state. A BMC may accept a reset and do nothing."""

    seconds: float = 120.0
    poll_seconds: float = 1.0
    bios_seconds: float = 900.0
    """How long a boot may take until the BIOS has taken or left its pending attributes; they are noticed earlier, and pending after that."""


@dataclass(frozen=True)
class ObservedMachine:
    """One machine after a visit."""

    bmc: BmcEvidence
    system: System
    """As it is after the changes."""
    bios: BiosView | None = None
    """None where no attribute is declared, or the BMC shows none."""
    firmware: Mapping[str, Component] = field(default_factory=dict)
    """By component; empty where no baseline is declared."""

    @property
    def identity(self) -> MachineIdentity:
        """Serial number and UUID."""
        return identity.identity_of(self.bmc, self.system)


Accept = Callable[[MachineIdentity], None]
"""Raises OutsideError for a machine that must not be touched."""


async def read_machine(
    address: str, access: Access, *, with_bios: bool = False, with_firmware: bool = False
) -> ObservedMachine:
    """Read the machine behind the BMC at `address` and change nothing."""
    async with Client(address, access) as client:
        return await _look(client, with_bios=with_bios, with_firmware=with_firmware)


async def bring_machine(
    declared: Machine,
    access: Access,
    log: Callable[[str], None],
    *,
    accept: Accept,
    boot_is_new: bool = True,
    patience: PowerStateDeadline | None = None,
    power_ons: PowerOns | None = None,
) -> ObservedMachine:
    """Bring the machine to `declared`; what is so already is left alone. `log` gets one sentence per change. Nothing is done to a machine that `accept` refuses.

    One that starts waits for its place among the `power_ons` of its rack.

    Raises OutsideError when the BMC cannot be reached, refuses, or the machine does not follow.
    """
    async with Client(declared.bmc_address, access) as client:
        observed = await _look(client, with_bios=bool(declared.bios), with_firmware=bool(declared.firmware))
        accept(observed.identity)
        plan.require_power_on(observed.system, declared)
        bios_waits = await _stage_bios(client, declared, observed, log)
        changes = plan.changes(observed.system, declared, boot_is_new=boot_is_new)
        if bios_waits and declared.restart and observed.system.power_state == "On" and declared.power != "Off":
            changes.append(plan.restart(observed.system))
        if not changes and not bios_waits:
            return observed
        deadline = patience or PowerStateDeadline()
        boots = any(change.path == observed.system.reset_path for change in changes) and declared.power == "On"
        async with power_ons.place(declared.rack) if power_ons and boots else nullcontext():
            for change in changes:
                await _carry_out(client, change)
                log(change.says)
            system = await _settled(client, observed.system.path, declared, deadline)
        bios = await _bios_after(client, system.path, declared, deadline, boots=boots)
        for name in _not_taken(bios, declared) if boots else ():
            log(
                f"BIOS {name} stayed as it was at the boot although the BMC took {declared.bios[name]}: look for what it depends on in its setup"
            )
        # Firmware that waited for a boot is in force, or says so.
        versions = await read_firmware(client) if boots and declared.updates else observed.firmware
        return ObservedMachine(observed.bmc, system, bios, versions)


async def _look(client: Client, *, with_bios: bool, with_firmware: bool) -> ObservedMachine:
    documents = await crawl.crawl_machine(client)
    system = inventory.host_system(documents)
    bios = await read_bios(client, system.path) if with_bios else None
    versions = await read_firmware(client) if with_firmware else {}
    return ObservedMachine(inventory.parse_machine(documents), system, bios, versions)


async def _stage_bios(client: Client, declared: Machine, observed: ObservedMachine, log: Callable[[str], None]) -> bool:
    """Have the BMC keep the declared attributes that are not in force for the next boot; whether any wait for it."""
    if not declared.bios:
        return False
    view = require_allowed(declared.name, observed.bios, declared.bios)
    drift, staged = view.drift(declared.bios), view.staged(declared.bios)
    changes = {name: value for name, value in drift.items() if name not in staged}
    if changes:
        await stage(client, view, changes)
        for name, value in changes.items():
            log(f"BIOS {name} is {view.attributes[name]}, {value} at the next boot")
    return bool(drift)


def _not_taken(bios: BiosView | None, declared: Machine) -> list[str]:
    """Attributes that neither are as declared nor wait for a boot."""
    return sorted(set(bios.drift(declared.bios)) - set(bios.staged(declared.bios))) if bios else []


async def _bios_after(
    client: Client, system: str, declared: Machine, deadline: PowerStateDeadline, *, boots: bool
) -> BiosView | None:
    """The BIOS as it is afterwards; where the machine `boots`, once it has taken or left what was pending."""
    if not declared.bios:
        return None
    for _ in range(max(1, round(deadline.bios_seconds / deadline.poll_seconds)) if boots else 1):
        view = await read_bios(client, system)
        if view is None or not view.staged(declared.bios):
            break
        if boots:
            await asyncio.sleep(deadline.poll_seconds)
    return view


async def _carry_out(client: Client, change: plan.MachineChange) -> None:
    send = client.patch if change.method == "PATCH" else client.post
    await send(change.path, change.body)


async def _settled(client: Client, path: str, declared: Machine, patience: PowerStateDeadline) -> System:
    """The system once it has the declared power state."""
    for _ in range(max(1, round(patience.seconds / patience.poll_seconds))):
        system = System.of(await client.get(path))
        if not plan.power_drifted(system.power_state, declared):
            return system
        await asyncio.sleep(patience.poll_seconds)
    raise OutsideError(
        f"{declared.name} is still {system.power_state} {patience.seconds:.0f} s after its BMC {declared.bmc_address} "
        f"accepted to power it {declared.power.lower()}: look at its console and its power supplies, then run again"
    )
