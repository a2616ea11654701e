from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rackwright import catalog, design, spec
from rackwright.base.errors import ProblemsError
from rackwright.install.machines_file import DeclaredMachine
from rackwright.model.design import Design
from rackwright.model.firmware import FirmwareImage
from rackwright.model.resource import MachineIdentity
from rackwright.model.server import ServerBmc
from rackwright.provision import fleet_plan, plant_plan
from rackwright.provision.firmware import updates
from rackwright.provision.plan import machine, plan, stack_outputs
from rackwright.provision.requests import MachineRequests


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
        "secure_boot": "",
        "power_cap_watts": 0,
        "accounts": [],
        "firmware": {},
        "updates": [],
        "downgrade": False,
        "rack": node.rack,
        "held": [],
        "restart": False,
        "flash": False,
        "wipe": "none",
        "erase": "",
    }


def test_images_are_planned_as_the_bmc_of_the_server_takes_them(example: Design) -> None:
    images = [
        FirmwareImage(file="dgx/bmc.fwpkg", sha256=f"sha256:{'A' * 64}", components=["HostBMC_0"]),
        FirmwareImage(file="dgx/tray.fwpkg", sha256="b" * 64, components=["HostBIOS_0", "HGX_FW_BMC_0"]),
    ]
    pool = example.site.pools[0].model_copy(update={"firmware_images": images, "firmware": {"HostBMC_0": "25.01.00"}})
    site = example.site.model_copy(update={"pools": [pool, *example.site.pools[1:]]})
    (planned,) = plan(replace(example, site=site), ["train-001"], requests=MachineRequests(flashed=["train-001"]))
    mirror, inventory = example.site.software.apt_mirror.rstrip("/"), "/redfish/v1/UpdateService/FirmwareInventory"
    bmc, tray = planned.updates
    assert planned.flash
    assert (bmc.url, bmc.sha256, bmc.activate) == (f"{mirror}/dgx/bmc.fwpkg", "a" * 64, "bmc")
    assert (tray.activate, tray.cycle) == ("power-cycle", None), "an image needs what the last of its components does"
    assert tray.targets == [f"{inventory}/HostBIOS_0", f"{inventory}/HGX_FW_BMC_0"]


@pytest.mark.parametrize(
    ("dialect", "component", "targets", "oem"),
    [
        ("supermicro", "BMC", ["/redfish/v1/Managers/1"], "Supermicro"),
        ("nvidia-gb", "FW_BMC_0", ["/redfish/v1/Chassis/BMC_0"], ""),
        ("idrac", "BIOS.Setup.1-1", [], ""),
    ],
)
def test_targets_are_those_of_the_maker(
    example: Design, dialect: str, component: str, targets: list[str], oem: str
) -> None:
    image = FirmwareImage(file="x.bin", sha256="a" * 64, components=[component])
    pool = example.site.pools[0].model_copy(update={"firmware_images": [image]})
    server = example.node("train-001").server
    spoken = server.model_copy(update={"bmc": ServerBmc(dialect=dialect)})
    (update,) = updates(example.site, pool, spoken)
    assert (update.targets, next(iter(update.oem), "")) == (targets, oem)


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


def test_a_wipe_is_planned_for_the_nodes_of_a_request_alone(example: Design) -> None:
    pool = example.site.pools[0].model_copy(update={"wipe": "crypto-erase"})
    site = example.site.model_copy(update={"pools": [pool, *example.site.pools[1:]]})
    planned = plan(
        replace(example, site=site),
        ["train-001", "train-002"],
        requests=MachineRequests(wiped=["train-001"], wipe_request="run-1"),
    )
    assert [(machine.wipe, machine.erase) for machine in planned] == [("crypto-erase", "run-1"), ("crypto-erase", "")]
