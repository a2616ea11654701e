"""The machines of a stack, what feeds and cools them, and their systems; pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rackwright.base.errors import Problem, ProblemsError
from rackwright.install.machines_file import DeclaredMachine
from rackwright.model.design import Design
from rackwright.model.resource import DeclaredSystem, Machine, MachineAccount, MachineIdentity
from rackwright.provision import plan as machine_plan
from rackwright.provision import plant_plan, system_plan
from rackwright.provision.plant_plan import PlantPlan
from rackwright.provision.requests import NO_REQUESTS, MachineRequests


@dataclass(frozen=True)
class FleetPlan:
    """Everything that a stack declares."""

    machines: Sequence[Machine]
    plant: PlantPlan
    systems: Sequence[DeclaredSystem]


def plan(
    design: Design,
    nodes: Sequence[str],
    identities: Mapping[str, MachineIdentity],
    declared: Mapping[str, DeclaredMachine],
    requests: MachineRequests = NO_REQUESTS,
    accounts: Sequence[MachineAccount] = (),
) -> FleetPlan:
    """What is declared for `nodes`; `identities`: of ``control.bmc.identities_file``, `declared`: of ``install.machines``, both by node; `accounts` of the BMCs of machines.

    ProblemsError where the two lists disagree, or a system cannot be installed as declared; nothing was touched then.
    """
    if problems := list(_disagreements(design, identities, declared)):
        raise ProblemsError(problems)
    return FleetPlan(
        machine_plan.plan(design, nodes, identities, requests, accounts),
        plant_plan.plan(design, nodes),
        system_plan.plan(design, nodes, declared, requests.installed),
    )


def _disagreements(
    design: Design, identities: Mapping[str, MachineIdentity], declared: Mapping[str, DeclaredMachine]
) -> Iterator[Problem]:
    """Serial numbers that the two lists of the site put into different slots."""
    install = design.site.install
    homes = {identity.serial: node for node, identity in identities.items() if identity.serial}
    for node, machine in declared.items():
        expected, home = identities.get(node), homes.get(machine.serial, node)
        if home != node or (expected and expected.serial and expected.serial != machine.serial):
            of_node = f"{expected.serial} for {node}" if expected and expected.serial else "no line"
            actual = f"{machine.serial} at {node}" + (f", which the other has at {home}" if home != node else "")
            yield Problem(
                f"{install.machines if install else ''}:{machine.line}", "serial", "two lists of the site put a machine into different slots",
                f"as control.bmc.identities_file has it: {of_node}", actual, "read the label of the machine, and correct one of the two files",
                "install.machines",
            )  # fmt: skip
