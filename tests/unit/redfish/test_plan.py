from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.redfish import inventory, plan
from rackwright.redfish.resources.system import System
from rackwright.twin.bmc.documents import build_documents
from rackwright.twin.hardware.state import TwinMachine

from .conftest import desired_machine, machine


def read_machine(entry: TwinMachine) -> tuple[BmcEvidence, System]:
    documents = build_documents(entry)
    return inventory.parse_machine(documents), inventory.host_system(documents)


def test_a_machine_that_is_off_boots_once_and_is_powered_on_in_that_order() -> None:
    _, system = read_machine(machine(power_state="Off"))
    changes = plan.changes(system, desired_machine())
    assert [(change.method, change.body) for change in changes] == [
        ("PATCH", {"Boot": {"BootSourceOverrideEnabled": "Once", "BootSourceOverrideTarget": "Pxe"}}),
        ("POST", {"ResetType": "On"}),
    ]
    assert changes[0].path == system.path
    assert changes[1].path == system.reset_path


def test_a_running_machine_is_left_alone() -> None:
    _, system = read_machine(machine())
    assert plan.changes(system, desired_machine()) == []


def test_a_machine_that_was_booted_before_is_only_powered_on() -> None:
    _, system = read_machine(machine(power_state="Off"))
    assert [change.method for change in plan.changes(system, desired_machine(), boot_is_new=False)] == ["POST"]


def test_a_lasting_override_is_set_on_a_running_machine_and_kept() -> None:
    requested = desired_machine(boot_target="Hdd", boot_once=False)
    _, system = read_machine(machine())
    (change,) = plan.changes(system, requested)
    assert change.body["Boot"] == {"BootSourceOverrideEnabled": "Continuous", "BootSourceOverrideTarget": "Hdd"}
    _, system = read_machine(machine(boot_enabled="Continuous", boot_target="Hdd"))
    assert plan.changes(system, requested) == []


def test_an_override_nobody_asked_for_is_taken_back() -> None:
    _, system = read_machine(machine(boot_enabled="Once", boot_target="Pxe"))
    (change,) = plan.changes(system, desired_machine(boot_target="None"))
    assert change.body["Boot"]["BootSourceOverrideEnabled"] == "Disabled"


@pytest.mark.parametrize(
    ("power", "state", "expected"),
    [("Off", "On", ["GracefulShutdown"]), ("Unmanaged", "Off", []), ("On", "PoweringOn", []), ("Off", "Off", [])],
)
def test_power(power: str, state: str, expected: list[str]) -> None:
    _, system = read_machine(machine(power_state=state))
    resets = [
        change.body["ResetType"]
        for change in plan.changes(system, desired_machine(power=power))
        if change.method == "POST"
    ]
    assert resets == expected


def test_the_gentlest_reset_the_bmc_offers() -> None:
    _, system = read_machine(machine(power_state="Off"))
    odd = system._replace(reset_types=("ForceOn", "ForceOff"))
    assert plan.changes(odd, desired_machine())[-1].body == {"ResetType": "ForceOn"}


def test_a_bmc_without_the_boot_target_is_a_mismatch_and_no_change() -> None:
    bmc, system = read_machine(machine(power_state="Off"))
    poor = system._replace(boot_targets=("Hdd",))
    assert [change.method for change in plan.changes(poor, desired_machine())] == ["POST"]
    assert plan.mismatches(bmc, poor, desired_machine()) == ["cannot be set to boot from Pxe (its BMC offers Hdd)"]


def test_a_port_beyond_those_of_the_design_is_no_mismatch() -> None:
    bmc, system = read_machine(machine())
    assert plan.mismatches(bmc, system, desired_machine(nic_count=1)) == []


def test_what_was_bought_has_no_mismatch() -> None:
    bmc, system = read_machine(machine())
    assert plan.mismatches(bmc, system, desired_machine()) == []


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"manufacturer": "Dell Inc."}, "manufacturer is Dell Inc., the design says NVIDIA"),
        ({"model": "DGX A100"}, "model is DGX A100, the design says DGX H100"),
        ({"model": ""}, "model is not reported by the BMC, the design says DGX H100"),
        ({"cpu_count": 1}, "has 1 CPUs, the design says 2"),
        ({"memory_gib": 1024}, "has 1024 GiB of memory, the design says 2048"),
        ({"gpus": machine().gpus[:7]}, "has 7 GPUs, the design says 8"),
        ({"nics": ()}, "has 0 network ports, the design says 2"),
        (
            {"gpus": (replace(machine().gpus[0], product_name="NVIDIA A100"), *machine().gpus[1:])},
            "1 of its GPUs are NVIDIA A100, the design says NVIDIA H100 80GB HBM3",
        ),
    ],
)
def test_each_mismatch_is_a_sentence(changes: dict[str, object], sentence: str) -> None:
    assert plan.mismatches(*read_machine(machine(**changes)), desired_machine()) == [sentence]


def test_names_are_compared_as_people_write_them() -> None:
    bmc, system = read_machine(machine(manufacturer="NVIDIA Corporation", model="NVIDIA DGX-H100"))
    assert plan.mismatches(bmc, system, desired_machine(model="DGXH100")) == []


@pytest.mark.parametrize(
    ("manufacturer", "model", "is_named"),
    [
        ("Wiwynn", "GB200 NVL", True),
        ("WIWYNN Corporation", "GB200 NVL", True),
        ("Wiwynn", "GB300 NVL", False),
        ("Quanta", "GB200 NVL", False),
    ],
)
def test_a_name_that_the_sku_gives_its_bmc_is_no_mismatch(manufacturer: str, model: str, is_named: bool) -> None:
    bmc, system = read_machine(machine(manufacturer=manufacturer, model=model))
    different = plan.mismatches(bmc, system, desired_machine(names=["Wiwynn GB200 NVL"]))
    assert different == (
        [] if is_named
        else [f"manufacturer is {manufacturer}, the design says NVIDIA", f"model is {model}, the design says DGX H100"]
    )  # fmt: skip


def test_a_sku_for_machines_of_any_maker_names_no_machine_to_compare_with() -> None:
    bmc, system = read_machine(machine(manufacturer="Supermicro", model="SYS-421GE-TNRT"))
    assert plan.mismatches(bmc, system, desired_machine(manufacturer="Generic", model="Any server")) == []
    named = desired_machine(manufacturer="Generic", model="Any server", names=["Supermicro SYS-421GE-TNRT"])
    assert plan.mismatches(bmc, system, named) == []
    assert plan.mismatches(bmc, system, named.model_copy(update={"names": ["Dell PowerEdge XE9680"]}))
