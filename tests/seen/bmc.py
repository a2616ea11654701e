"""A healthy BMC of a DGX H100 of the example site."""

from __future__ import annotations

from typing import Any

from rackwright.model.base import Record
from rackwright.model.evidence.bmc import BmcEvidence, Heard, LogEntry, NicPort, Sensor, Supply

PORTS = [f"mlx5_{number}" for number in (0, 3, 4, 5, 6, 9, 10, 11, 1, 7)] + ["enp41s0f1np1", "enp170s0f1np1"]


def sensors() -> list[Sensor]:
    inlet = Sensor(
        name="TEMP_INLET",
        kind="Temperature",
        place="Intake",
        reading=24.0,
        unit="Cel",
        health="OK",
        upper_critical=45.0,
    )
    cpus = [
        Sensor(
            name=f"TEMP_CPU{number}", kind="Temperature", place="CPU", reading=48.0, unit="Cel", health="OK",
            upper_critical=100.0,
        )
        for number in range(2)
    ]  # fmt: skip
    fans = [
        Sensor(
            name=f"FAN_{number}", kind="Rotational", place="Fan", reading=8400.0, unit="RPM", health="OK",
            lower_critical=500.0,
        )
        for number in range(10)
    ]  # fmt: skip
    return [inlet, *cpus, *fans]


def bmc(**change: Any) -> BmcEvidence:
    healthy = {
        "manufacturer": "NVIDIA",
        "model": "DGXH100",
        "serial": "1660224000001",
        "power_state": "On",
        "bios_version": "1.6.7",
        "bmc_version": "24.09.17",
        "health": "OK",
        "cpu_count": 2,
        "memory_gib": 2048.0,
        "gpu_models": ["NVIDIA H100 80GB HBM3"] * 8,
        "nic_ports": [
            NicPort(adapter=name, port_guid=f"0xb83fd2030000{number:04x}", mac=None)
            for number, name in enumerate(PORTS)
        ],
        "psus_ok": 6,
        "psus_total": 6,
        "boot_override": "None",
        "own_ports": {"1": Heard(system="oob-switch-01", port="swp1")},
        "sensors": sensors(),
        "sensors_unread": 0,
        "supplies": [Supply(name=f"PSU {number}", health="OK", state="Enabled", input="Normal") for number in range(6)],
        "leak_detectors": None,
        "log": [
            LogEntry(identity="1", created="2026-11-01T10:00:00Z", severity="OK", message="System boot", resolved=False)
        ],
        "log_complete": True,
        "power_watts": 2550.0,
        "power_limit_watts": None,
        "power_limit_known": True,
        "psu_redundancy": "OK",
        "read_at": "2026-11-21T09:00:00+00:00",
        "clock_offset_seconds": 0.0,
    }
    return BmcEvidence(**(healthy | change))


SEEN: dict[type[Record], Any] = {BmcEvidence: bmc}
