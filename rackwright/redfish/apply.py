"""Brings one machine to its declared state through its BMC: reads, plans, carries out, and waits for the result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from rackwright.base.errors import OutsideError
from rackwright.model.access import Access
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.resource import Machine, MachineIdentity
from rackwright.redfish import crawl, identity, inventory, plan
from rackwright.redfish.client import Client
from rackwright.redfish.resources.system import System


@dataclass(frozen=True)
class PowerStateDeadline:
    """How long a machine may take to reach a power state. A BMC may accept a reset and do nothing."""

    seconds: float = 120.0
    poll_seconds: float = 1.0


@dataclass(frozen=True)
class ObservedMachine:
    """One machine after a visit."""

    bmc: BmcEvidence
    system: System
    """As it is after the changes."""

    @property
    def identity(self) -> MachineIdentity:
        """Serial number and UUID."""
        return identity.identity_of(self.bmc, self.system)


Accept = Callable[[MachineIdentity], None]
"""Raises OutsideError for a machine that must not be touched."""


async def read_machine(address: str, access: Access) -> ObservedMachine:
    """Read the machine behind the BMC at `address` and change nothing."""
    async with Client(address, access) as client:
        return await _look(client)


async def bring_machine(
    declared: Machine,
    access: Access,
    log: Callable[[str], None],
    *,
    accept: Accept,
    boot_is_new: bool = True,
    patience: PowerStateDeadline | None = None,
) -> ObservedMachine:
    """Bring the machine to `declared`; what is so already is left alone. `log` gets one sentence per change. Nothing is done to a machine that `accept` refuses.

    Raises OutsideError when the BMC cannot be reached, refuses, or the machine does not follow.
    """
    async with Client(declared.bmc_address, access) as client:
        observed = await _look(client)
        accept(observed.identity)
        changes = plan.changes(observed.system, declared, boot_is_new=boot_is_new)
        for change in changes:
            await _carry_out(client, change)
            log(change.says)
        if not changes:
            return observed
        return ObservedMachine(
            observed.bmc, await _settled(client, observed.system.path, declared, patience or PowerStateDeadline())
        )


async def _look(client: Client) -> ObservedMachine:
    documents = await crawl.crawl_machine(client)
    return ObservedMachine(inventory.parse_machine(documents), inventory.host_system(documents))


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
