"""The BMC of a machine of the twin in every dialect: healthy it passes or is advised, and each fault that can show in it is refused by its check."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from rackwright import catalog
from rackwright.model.resource import MachineIdentity
from rackwright.model.verdict import Outcome
from rackwright.redfish import apply, plan
from rackwright.redfish.unread import READ_AT
from rackwright.twin.bmc import dialects
from rackwright.twin.bmc.documents import NOW, build_documents
from rackwright.twin.hardware.parts.chassis import ChassisReadings, LogLine
from rackwright.twin.hardware.parts.identity import system_uuid
from rackwright.twin.hardware.state import MachinePort, TwinMachine
from tests.rotation import of_this_run

from . import trees
from .conftest import PORT, anyone, desired_machine, gpu, machine

GATE_ADVISES = {"bmc.power_draw", "bmc.psu_input"}
COMPUTE = [f"mlx5_{number}" for number in (0, 3, 4, 5, 6, 9, 10, 11)]
PORTS = tuple(
    MachinePort(
        name, "compute" if name in COMPUTE else "inband", f"0xb83fd203000000{at:02x}", f"b8:3f:d2:00:00:{at:02x}"
    )
    for at, name in enumerate([*COMPUTE, "mlx5_1", "mlx5_7", "enp41s0f1np1", "enp170s0f1np1"], start=1)
)


def _machine(**changes: Any) -> TwinMachine:
    chassis = ChassisReadings(**changes.pop("chassis", {}))
    gpus = tuple(gpu(index) for index in range(8))
    return replace(machine(model="DGXH100", nics=PORTS, gpus=gpus), chassis=chassis, **changes)


@dataclass(frozen=True)
class Fault:
    """What is wrong with a machine, and the checks that must refuse it; `also` may."""

    changes: dict[str, Any]
    refused: set[str]
    also: frozenset[str] = frozenset()
    shows: Any = lambda _: True


FAULTS = {
    "a supply failed": Fault({"psus_ok": 5}, {"bmc.psus"}, frozenset({"bmc.psu_input"})),
    "a cord is out": Fault({"chassis": {"lost_inputs": (2,)}}, {"bmc.psus"}, frozenset({"bmc.psu_input"})),
    "hot inlet": Fault({"chassis": {"inlet_celsius": 46.0}}, {"bmc.inlet_temperature", "bmc.sensors"}),
    "a fan stopped": Fault({"chassis": {"fans": (0.0, *(8400.0,) * 9)}}, {"bmc.fans", "bmc.sensors"}),
    "accelerator gone": Fault({"chassis": {"gpus_unlisted": (7,)}}, {"bmc.gpus"}),
    "adapter gone": Fault({"chassis": {"nics_unlisted": ("mlx5_5",)}}, {"bmc.nics"}),
    "a processor gone": Fault({"chassis": {"cpus_listed": 1}}, {"bmc.cpus"}),
    "memory gone": Fault({"chassis": {"memory_gib_listed": 1920}}, {"bmc.memory"}),
    "critical event": Fault({"chassis": {"log": (LogLine("Critical", "Uncorrectable ECC"),)}}, {"bmc.sel"}),
    "unhealthy": Fault({"health": "Critical"}, {"bmc.health"}),
    "another machine": Fault({"model": "DGXA100"}, {"bmc.model"}),
    "boot override": Fault({"boot_target": "Pxe", "boot_enabled": "Continuous"}, {"bmc.boot_override"}),
    "a cap is left": Fault(
        {"chassis": {"power_limit_watts": 5000.0}}, {"bmc.power_cap"}, shows=lambda dialect: dialect.power.limit != "none"
    ),
    "clock a year behind": Fault({"chassis": {"clock_offset_seconds": -365 * 86_400.0}}, {"bmc.clock"}),
    "no spare supply": Fault(
        {"chassis": {"redundancy": "Critical"}}, {"bmc.psu_redundancy"}, shows=lambda dialect: dialect.power.redundancy != "none"
    ),
}  # fmt: skip


def _advice(dialect: dialects.Dialect) -> set[str]:
    """What a healthy machine is advised of: only what its BMC has no property for."""
    not_reported = {
        "bmc.power_cap": dialect.power.limit == "none",
        "bmc.psu_redundancy": dialect.power.redundancy == "none",
        "bmc.psu_input": dialect.power.input == "none" and not dialect.power.sensors,
    }
    return {name for name, silent in not_reported.items() if silent}


def _refused(documents: trees.Tree, dialect: dialects.Dialect) -> dict[str, str]:
    air = {} if dialect.thermal.context else {"max_supply_air_celsius": None}  # cooled by liquid
    findings = trees.findings(trees.evidence(documents), trees.expected({"like": "dgx-h100", **air}, ""))
    return {name: finding.says for name, finding in findings if finding.outcome is not Outcome.PASS}


@pytest.mark.parametrize("name", dialects.names())
def test_a_healthy_machine_passes_or_is_advised(name: str) -> None:
    dialect = dialects.load(name)
    spoken = dialects.speak(build_documents(_machine()), _machine(), dialect)
    read = trees.read(spoken)
    assert "unread" not in read
    refused = _refused(read, dialect)
    assert set(refused) == _advice(dialect), refused


@pytest.mark.parametrize(
    "form", [lambda path: path, lambda path: {"@odata.id": path, "@odata.type": "#Any.v1_0_0.Any"}]
)
def test_collections_of_mere_paths_and_of_links_with_a_type_are_followed(form: Callable[[str], Any]) -> None:
    """As a NF5280M5 lists its chassis, and another server its adapters."""
    spoken = dialects.speak(build_documents(_machine()), _machine(), dialects.load("ieit"))
    expected = trees.read(spoken)
    for document in spoken.values():
        document.pop("ProtocolFeaturesSupported", None)
        if "Members" in document:
            document["Members"] = [form(member["@odata.id"]) for member in document["Members"]]
    assert trees.evidence(trees.read(spoken)) == trees.evidence(expected)


@pytest.mark.parametrize("name", of_this_run(dialects.names(), 3))
def test_each_fault_is_refused_by_its_check(name: str) -> None:
    dialect = dialects.load(name)
    wrong = {}
    for title, fault in FAULTS.items():
        faulty = _machine(**fault.changes)
        documents = dialects.speak(build_documents(faulty), faulty, dialect)
        refused = _refused(documents | {READ_AT: {"managers": NOW.isoformat()}}, dialect)
        due = fault.refused - ({"bmc.inlet_temperature"} if not dialect.thermal.context else set())
        surplus = set(refused) - due - fault.also - _advice(dialect) - GATE_ADVISES
        if fault.shows(dialect) and (due - set(refused) or surplus):
            wrong[title] = {check: refused.get(check, "passed") for check in surplus | (due - set(refused))}
    assert wrong == {}


@pytest.mark.parametrize("name", dialects.names())
def test_a_machine_is_brought_up_over_https(name: str, serve: Callable[..., Any]) -> None:
    """Log-in, boot override and power, by the paths of the dialect."""
    maker = {"idrac": "Dell Inc."}.get(name, "NVIDIA")  # whose serial number is the service tag
    live, access = serve(_machine(dialect=name, power_state="Off", manufacturer=maker))
    log: list[str] = []
    identities: list[MachineIdentity] = []
    declared = desired_machine(model="DGXH100", nic_count=12)
    asyncio.run(apply.bring_machine(declared, access, log.append, accept=identities.append))
    assert identities == [MachineIdentity("1A2B", system_uuid("1A2B"))]
    assert log == ["boots from Pxe once", "is powered on (On)"]
    assert live.machine("train-001").power_state == "On"


@pytest.mark.parametrize("name", dialects.names())
def test_the_plan_counts_the_parts_that_the_dialect_lists(name: str, serve: Callable[..., Any]) -> None:
    """What a bring-up reports of a machine: nothing where it is as bought, and the accelerator that is gone where one is."""
    gone = {"gpus_unlisted": (7,)}
    _, access = serve(_machine(dialect=name), _machine(dialect=name, node="train-002", chassis=gone))
    mismatches = []
    for address in ("127.0.0.11", "127.0.0.12"):
        declared = desired_machine(model="DGXH100", nic_count=12, bmc_address=f"{address}:{PORT}")
        observed = asyncio.run(apply.bring_machine(declared, access, lambda _: None, accept=anyone))
        mismatches.append(plan.mismatches(observed.bmc, observed.system, declared))
    assert mismatches == [[], ["has 7 GPUs, the design says 8"]]


def test_every_server_names_its_dialect() -> None:
    servers = catalog.load().servers
    assert {sku: server.bmc for sku, server in servers.items() if server.bmc is None} == {}
    assert {server.bmc.dialect for server in servers.values() if server.bmc} <= set(dialects.names())


@pytest.mark.parametrize("name", dialects.names())
def test_no_dialect_tells_a_guid_where_no_published_tree_does(name: str) -> None:
    spoken = dialects.speak(build_documents(_machine()), _machine(), dialects.load(name))
    assert not [path for path, document in spoken.items() if "InfiniBand" in document]
