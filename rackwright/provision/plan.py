"""The machines of a design, as Pulumi declares them; pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

from rackwright.install.answers import is_diskless
from rackwright.model.design import Design, Node, unit_name
from rackwright.model.resource import Machine, MachineAccount, MachineIdentity
from rackwright.model.server import Server
from rackwright.model.site import Pool
from rackwright.provision import firmware
from rackwright.provision.requests import NO_REQUESTS, MachineRequests

UNKNOWN = MachineIdentity()


def plan(
    design: Design,
    nodes: Sequence[str],
    identities: Mapping[str, MachineIdentity] = MappingProxyType({}),
    requests: MachineRequests = NO_REQUESTS,
    accounts: Sequence[MachineAccount] = (),
) -> list[Machine]:
    """The machines called `nodes` as they should be, `identities` by node, what may be done to them in this run, and the `accounts` of their BMCs. KeyError for a name the design does not have."""
    pools = {pool.name: pool for pool in design.site.pools}
    chosen = [design.node(name) for name in nodes]
    machines = [
        machine(
            node,
            identities.get(node.name, UNKNOWN),
            pools.get(node.pool),
            restart=node.name in requests.restarted,
            diskless=is_diskless(design, node),
        )
        for node in chosen
    ]
    updates = {
        pool.name: firmware.updates(design.site, pool, node.server) for node in chosen if (pool := pools.get(node.pool))
    }
    return [
        planned.model_copy(
            update={
                "updates": updates.get(node.pool, []),
                "downgrade": design.site.firmware_updates.downgrade,
                "flash": node.name in requests.flashed,
                "accounts": list(accounts),
                "erase": requests.erase(node.name),
            }
        )
        for node, planned in zip(chosen, machines, strict=True)
    ]


def stack_outputs(design: Design, nodes: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What a next stack needs of `nodes`, as ``pulumi stack output`` shows it: in-band addresses, and who is in which rack and scalable unit.

    Names and addresses alone: the outputs are in every checkpoint of the stack.
    """
    chosen = [design.node(name) for name in nodes]
    racks, units = defaultdict(list), defaultdict(list)
    for node in chosen:
        racks[node.rack].append(node.name)
        if node.role == "accelerator":
            units[unit_name(node.pool, node.scalable_unit)].append(node.name)
    return {"nodes": {node.name: node.inband_address for node in chosen}, "racks": dict(racks), "units": dict(units)}


def _listed_ports(server: Server) -> int:
    """How many of its network ports the BMC lists: all, but where the SKU says fewer (GB200 NVL72)."""
    fewer = server.bmc.ports if server.bmc else None
    return sum(group.count for group in server.ports if group.role != "bmc") if fewer is None else fewer


def _secure_boot(pool: Pool | None) -> Literal["", "Enabled", "Disabled"]:
    if pool is None or pool.secure_boot is None:
        return ""
    return "Enabled" if pool.secure_boot else "Disabled"


def machine(
    node: Node,
    identity: MachineIdentity = UNKNOWN,
    pool: Pool | None = None,
    *,
    restart: bool = False,
    diskless: bool = False,
) -> Machine:
    """One node as a resource: what its SKU promises, powered on.

    A machine that is found switched off boots from the network once, with the power-on that brings it up; one that
    already runs is adopted as it is. A `diskless` one boots from the network every time, which restarts none.
    """
    server = node.server
    return Machine(
        name=node.name,
        bmc_address=node.bmc_address,
        serial=identity.serial,
        uuid=identity.uuid,
        model=server.model,
        manufacturer=server.manufacturer,
        names=server.bmc.names if server.bmc else [],
        gpu_count=node.accelerators,
        gpu_model=node.accelerator.product_name if node.accelerator else "",
        memory_gib=server.memory_gib,
        cpu_count=server.cpu_sockets,
        nic_count=_listed_ports(server),
        boot_target="Pxe",
        boot_once=not diskless,
        power="On",
        bios=pool.bios if pool else {},
        secure_boot=_secure_boot(pool),
        power_cap_watts=(pool and pool.power_cap_watts) or 0,
        firmware=pool.firmware if pool else {},
        wipe=pool.wipe if pool else "none",
        rack=node.rack,
        restart=restart,
    )
