from __future__ import annotations

import json

import pytest

from rackwright.base.errors import OutsideError
from rackwright.redfish import inventory
from rackwright.redfish.resources.port import Port
from rackwright.twin.bmc.documents import BASEBOARD, CHASSIS, HOST, build_documents

from .conftest import machine

ROOT = "/redfish/v1"
READINGS = {
    "sensors", "sensors_unread", "supplies", "leak_detectors", "log", "log_complete", "power_watts", "power_limit_watts",
    "power_limit_known", "psu_redundancy", "unread", "read_at", "clock_offset_seconds",
}  # fmt: skip


def test_the_whole_record() -> None:
    record = inventory.parse_machine(json.loads(json.dumps(build_documents(machine(psus_ok=5, health="Warning")))))
    assert record.model_dump(exclude={"nic_ports", "gpu_models", *READINGS}) == {
        "manufacturer": "NVIDIA", "model": "DGX H100", "serial": "1A2B", "power_state": "On", "bios_version": "1.6.7",
        "bmc_version": "24.09.17", "health": "Warning", "cpu_count": 2, "memory_gib": 2048.0, "psus_ok": 5,
        "psus_total": 6, "boot_override": "None", "own_ports": {"1": None},
    }  # fmt: skip
    assert record.gpu_models == ["NVIDIA H100 80GB HBM3"] * 8
    assert [(nic_port.adapter, nic_port.port_guid, nic_port.mac) for nic_port in record.nic_ports] == [
        ("mlx5_0", "0xb83fd20312345678", "b8:3f:d2:00:00:01"),
        ("eth0", None, "b8:3f:d2:00:00:02"),
    ]


def test_the_host_is_not_the_first_member() -> None:
    documents = build_documents(machine())
    first = documents[f"{ROOT}/Systems"]["Members"][0]["@odata.id"]
    assert first.endswith("HGX_Baseboard_0")
    assert inventory.host_system(documents).path.endswith("/Host")


def test_no_system_and_two_systems_are_said() -> None:
    with pytest.raises(OutsideError, match="lists no computer system"):
        inventory.parse_machine({})
    documents = build_documents(machine())
    second = {**documents[HOST], "@odata.id": f"{ROOT}/Systems/Other"}
    listed = [{"@odata.id": HOST}, {"@odata.id": f"{ROOT}/Systems/Other"}]
    both = {**documents, f"{ROOT}/Systems/Other": second, f"{ROOT}/Systems": {"Members": listed}}
    with pytest.raises(OutsideError, match="manages several machines"):
        inventory.parse_machine(both)


def test_empty_bays_are_no_parts() -> None:
    documents = build_documents(machine())
    gpu = f"{BASEBOARD}/Processors/GPU_SXM_1"
    supply = f"{CHASSIS}/PowerSubsystem/PowerSupplies/PSU0"
    for path in (gpu, supply):
        documents[path] = {**documents[path], "Status": {"State": "Absent"}}
    record = inventory.parse_machine(documents)
    assert len(record.gpu_models) == 7
    assert (record.psus_ok, record.psus_total) == (5, 5)


def test_the_older_power_resource() -> None:
    documents = build_documents(machine())
    chassis = {**documents[CHASSIS], "Power": {"@odata.id": f"{CHASSIS}/Power"}}
    del chassis["PowerSubsystem"]
    good, bad = {"Status": {"Health": "OK", "State": "Enabled"}}, {"Status": {"Health": "Critical", "State": "Enabled"}}
    documents[CHASSIS] = chassis
    documents[f"{CHASSIS}/Power"] = {"PowerSupplies": [good, bad]}
    record = inventory.parse_machine(documents)
    assert (record.psus_ok, record.psus_total) == (1, 2)


@pytest.mark.parametrize(
    ("text", "guid"),
    [
        ("0xB83FD20312345678", "0xb83fd20312345678"),
        ("b8:3f:d2:03:12:34:56:78", "0xb83fd20312345678"),
        ("b83f:d203:1234:5678", "0xb83fd20312345678"),
        ("b83fd2", None),
        ("", None),
    ],
)
def test_guids_as_bmcs_print_them(text: str, guid: str | None) -> None:
    assert Port.of({"InfiniBand": {"AssociatedPortGUIDs": [text]}}).guid == guid
