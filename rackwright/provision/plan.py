"""The machines of a design, as Pulumi declares them; pure."""

from __future__ import annotations

from collections.abc import Sequence

from rackwright.model.design import Design, Node
from rackwright.model.resource import Machine
from rackwright.model.server import Server


def plan(design: Design, nodes: Sequence[str]) -> list[Machine]:
    """The machines called `nodes` as they should be; KeyError for a name the design does not have."""
    return [machine(design.node(name)) for name in nodes]


def _listed_ports(server: Server) -> int:
    """How many of its network ports the BMC lists: all, but where the SKU says fewer (GB200 NVL72)."""
    fewer = server.bmc.ports if server.bmc else None
    return sum(group.count for group in server.ports if group.role != "bmc") if fewer is None else fewer


def machine(node: Node) -> Machine:
    """One node as a resource: what its SKU promises, powered on.

    A machine that is found switched off boots from the network once, with the power-on that brings it up; one that
    already runs is adopted as it is.
    """
    server = node.server
    return Machine(
        name=node.name,
        bmc_address=node.bmc_address,
        model=server.model,
        manufacturer=server.manufacturer,
        names=server.bmc.names if server.bmc else [],
        gpu_count=node.accelerators,
        gpu_model=node.accelerator.product_name if node.accelerator else "",
        memory_gib=server.memory_gib,
        cpu_count=server.cpu_sockets,
        nic_count=_listed_ports(server),
        boot_target="Pxe",
        boot_once=True,
        power="On",
    )
