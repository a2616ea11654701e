from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rackwright import catalog, design, spec
from rackwright.base.errors import ProblemsError
from rackwright.install.machines_file import DeclaredMachine
from rackwright.model.design import Design
from rackwright.model.resource import MachineIdentity
from rackwright.provision import fleet_plan, plant_plan
from rackwright.provision.plan import machine, plan, stack_outputs


@pytest.fixture(scope="module")
def example(request: pytest.FixtureRequest) -> Design:
    path: Path = request.getfixturevalue("example_site")
    loaded = spec.load(path)
    return design.expand(loaded.site, loaded.catalog)


def test_an_accelerator_node(example: Design) -> None:
    (planned,) = plan(example, ["train-001"])
    node = example.node("train-001")
    assert planned.model_dump() == {
        "name": "train-001",
        "bmc_address": node.bmc_address,
        "serial": "",
        "uuid": "",
        "model": node.server.model,
        "manufacturer": "NVIDIA",
        "names": [],
        "gpu_count": 8,
        "gpu_model": "NVIDIA H100 80GB HBM3",
        "memory_gib": 2048,
        "cpu_count": 2,
        "nic_count": 12,
        "boot_target": "Pxe",
        "boot_once": True,
        "power": "On",
        "bios": {},
        "firmware": {},
        "held": [],
        "restart": False,
    }


def test_ports_are_those_that_the_bmc_lists(example: Design) -> None:
    node = example.node("train-001")
    server = node.server.model_copy(update={"bmc": catalog.load().servers["gb200-nvl72"].bmc})
    assert machine(replace(node, server=server)).nic_count == 4


def test_a_control_server_has_no_gpu(example: Design) -> None:
    (planned,) = plan(example, ["slurm-01"])
    assert (planned.gpu_count, planned.gpu_model) == (0, "")


def test_every_machine_once_and_nothing_is_switched_off(example: Design) -> None:
    names = [node.name for node in example.nodes()]
    machines = plan(example, names)
    assert [machine.name for machine in machines] == names
    assert len({machine.bmc_address for machine in machines}) == len(names)
    assert {machine.power for machine in machines} == {"On"}


def test_what_a_next_stack_needs(example: Design) -> None:
    outputs = stack_outputs(example, ["train-001", "slurm-01"])
    node, controller = example.node("train-001"), example.node("slurm-01")
    assert outputs == {
        "nodes": {"train-001": node.inband_address, "slurm-01": controller.inband_address},
        "racks": {node.rack: ["train-001"], controller.rack: ["slurm-01"]},
        "units": {"train-su1": ["train-001"]},
    }


def test_a_declared_identity(example: Design) -> None:
    planned, neighbour = plan(example, ["train-001", "train-002"], {"train-001": MachineIdentity("1A2B", "u")})
    assert (planned.serial, planned.uuid, neighbour.serial) == ("1A2B", "u", "")


def test_an_unknown_name(example: Design) -> None:
    with pytest.raises(KeyError):
        plan(example, ["train-999"])


def test_the_plant_around_machines(example: Design) -> None:
    planned = plant_plan.plan(example, ["train-001", "train-002"])
    assert list(planned.racks) == ["train-r01"]
    assert planned.around == {"train-001": ("train-r01",), "train-002": ("train-r01",)}
    assert [unit["name"] for unit in planned.racks["train-r01"].units][:1] == ["train-r01-A1-pdu"]
    assert not planned.cdus


def test_two_lists_with_one_machine_in_two_slots_are_refused(example: Design) -> None:
    identities = {"train-001": MachineIdentity("SN-1"), "train-002": MachineIdentity("SN-2")}
    listed = {"train-001": DeclaredMachine("train-001", "SN-1", "02:00:5e:10:00:01", line=2)}
    assert not fleet_plan.plan(example, ["train-001"], identities, listed).systems, "the site declares no install"
    listed["train-003"] = DeclaredMachine("train-003", "SN-2", "02:00:5e:10:00:03", line=3)
    listed["train-002"] = DeclaredMachine("train-002", "SN-9", "02:00:5e:10:00:02", line=4)
    with pytest.raises(ProblemsError) as error:
        fleet_plan.plan(example, ["train-001"], identities, listed)
    assert [(problem.place, problem.found) for problem in error.value.problems] == [
        (":3", "SN-2 at train-003, which the other has at train-002"),
        (":4", "SN-9 at train-002"),
    ]
