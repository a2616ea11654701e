"""The page "From racked to accepted" quotes what is printed about the three faults that it plays: each sentence is made anew here."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from rackwright.base.errors import OutsideError
from rackwright.flow import plant_readiness
from rackwright.model.resource import MachineIdentity
from rackwright.provision.plan import machine
from rackwright.redfish import firmware, identity, plan
from rackwright.redfish.plant_supply import READERS
from rackwright.twin import faults, tools
from rackwright.twin.hardware import state
from tests import build

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "from-racked-to-accepted.md"
LEAK, SWAPPED, OLD = "train-001", ["train-019", "train-020"], "train-037"


def quoted() -> str:
    """The page, each run of spaces and line ends one space."""
    return " ".join(PAGE.read_text(encoding="utf-8").split())


def racked(name: str, *nodes: str) -> state.State:
    """The machines of the page with the fault `name`."""
    healthy = state.build(build.cooled_design(), [LEAK, *SWAPPED, OLD])
    return faults.load_faults()[name].apply(healthy, list(nodes))


def test_the_twin_of_the_page_has_these_faults() -> None:
    call = next(
        line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("    rackwright twin")
    )
    assert [word for word in call.split() if word in faults.load_faults()] == ["cdu-leak-at-rack", "machines-swapped", "bios-old"]  # fmt: skip
    assert {LEAK, *SWAPPED, OLD} <= set(call.split("--nodes ")[1].split()[0].split(","))


def test_a_rack_without_cooling() -> None:
    site, live = build.cooled_design(), racked("cdu-leak-at-rack", LEAK)
    unit = next(unit for unit in live.plant.units.values() if unit.kind == "cdu")
    reading = READERS["cdu"].parse(json.loads(tools.equipment(site, live, unit.name)))
    held = plant_readiness.problems((), unit, reading)
    assert {hindrance.rack for hindrance in held} == {site.node(LEAK).rack}
    declared = machine(site.node(LEAK)).model_copy(update={"held": [hindrance.text for hindrance in held]})
    powered_off: Any = SimpleNamespace(power_state="Off")
    with pytest.raises(OutsideError) as refused:
        plan.require_power_on(powered_off, declared)
    assert f"{LEAK}: failed: {refused.value}" in quoted()


def test_a_machine_in_the_wrong_slot() -> None:
    site, belongs = build.cooled_design(), racked("bios-old", OLD).machines
    sits = racked("machines-swapped", *SWAPPED).machines
    node = SWAPPED[0]
    places = {name: MachineIdentity(belongs[name].serial) for name in SWAPPED}
    with pytest.raises(OutsideError) as refused:
        identity.require_same(
            node, site.node(node).bmc_address, places[node], MachineIdentity(sits[node].serial), lambda: places
        )
    sentence = str(refused.value).split(" Put the machine")[0]
    assert f"{node}: failed: {sentence}" in quoted()


def test_a_machine_with_wrong_firmware() -> None:
    site, version = build.cooled_design(), racked("bios-old", OLD).machines[OLD].bios_version
    declared = machine(site.node(OLD)).model_copy(update={"firmware": {"UEFI": "1.6.7"}})
    (sentence,) = firmware.mismatches(declared, {"UEFI": firmware.Component(version)})
    assert f"{OLD}: {sentence}" in quoted()
    assert list(firmware.mismatches(declared, {"UEFI": firmware.Component("1.6.7")})) == []
