"""What the burn notes of NVML while it works: columns of equal length, and None where NVML refuses."""

import json
import time
from types import SimpleNamespace

from rackwright.collect import collector
from rackwright.collect.probe.burn import telemetry

PLACE = "00000000:1b:00.0"


class RefusedError(Exception):
    """What pynvml raises."""


def refuse(*_):
    raise RefusedError


def library(**change):
    answers = {
        "NVMLError": RefusedError,
        "NVML_CLOCK_SM": 1,
        "NVML_TEMPERATURE_GPU": 0,
        "nvmlInit": lambda: None,
        "nvmlDeviceGetCount": lambda: 1,
        "nvmlDeviceGetHandleByIndex": lambda index: index,
        "nvmlDeviceGetPciInfo": lambda _: SimpleNamespace(busId=b"00000000:1B:00.0"),
        "nvmlDeviceGetPowerUsage": lambda _: 697_812,
        "nvmlDeviceGetClockInfo": lambda *_: 1665,
        "nvmlDeviceGetTemperature": lambda *_: 61,
        "nvmlDeviceGetCurrentClocksEventReasons": lambda _: 0x44,
        "nvmlDeviceGetCurrentClocksThrottleReasons": lambda _: 0x44,
    }
    return SimpleNamespace(**(answers | change))


def watched(nvml, monkeypatch):
    monkeypatch.setattr(telemetry, "SECONDS", 0.01)
    looks = telemetry.Telemetry(nvml)
    looks.start()
    while len(looks.samples[PLACE]["reasons"]) < 3:
        time.sleep(0.005)
    looks.stop()
    return looks.samples[PLACE]


def test_every_look_adds_to_every_column(monkeypatch):
    columns = watched(library(), monkeypatch)
    assert {name: set(column) for name, column in columns.items() if name != "second"} == {
        "power_milliwatts": {697_812},
        "sm_clock_mhz": {1665},
        "temperature_celsius": {61},
        "reasons": {0x44},
    }
    assert columns["second"] == sorted(columns["second"])
    assert len({len(column) for column in columns.values()}) == 1


def test_the_collector_reads_what_it_notes(monkeypatch):
    columns = watched(library(nvmlDeviceGetPowerUsage=refuse), monkeypatch)
    device = {"index": 0, "uuid": "GPU-1", "serial": "1", "pci_bus_id": PLACE, "gemms": [], "samples": columns}
    (record,) = collector.library()["gemm_burn"].parse(json.dumps({"tool": "t", "devices": [device]})).devices
    assert set(record.samples.power_watts) == {None}
    assert record.samples.sm_clock_mhz == columns["sm_clock_mhz"]
    assert record.samples.throttle_reasons[0] == ["sw_power_cap", "hw_thermal_slowdown"]
