"""Every accelerator of the node from the probe's dump of NVML: raw readings in NVML's units and codes, one JSON document.

Names and codes: nvml.h (nvmlClocksEventReasons, nvmlGpuFabricState_t, nvmlReturn_t). A reading that the library does not
support becomes None. A device that NVML counts and cannot reach any more is left out, so that its absence is counted.
"""

import json
from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.accelerator import Accelerators, Device

LOST = {"NVML_ERROR_GPU_IS_LOST", "NVML_ERROR_INSUFFICIENT_POWER", "NVML_ERROR_IRQ_ISSUE"}
"""What NVML says of a device that is there no more, which is not a failure of the tool."""

UNSUPPORTED = {"NVML_ERROR_NOT_SUPPORTED", "NVML_ERROR_FUNCTION_NOT_FOUND"}

THROTTLE_REASONS = {
    0x002: "applications_clocks_setting",
    0x004: "sw_power_cap",
    0x008: "hw_slowdown",
    0x010: "sync_boost",
    0x020: "sw_thermal_slowdown",
    0x040: "hw_thermal_slowdown",
    0x080: "hw_power_brake_slowdown",
    0x100: "display_clock_setting",
}
IDLE = 0x001
FABRIC_STATES = {0: "not_supported", 1: "not_started", 2: "in_progress", 3: "completed"}
SUCCESS = "NVML_SUCCESS"
ACTIVE = 1

Readings = dict[str, Any]


def parse(output: str) -> Accelerators:
    """The document of the probe (``{"system": ..., "devices": [...]}``, every reading a value or an error)."""
    try:
        document = json.loads(output)
        system = document["system"]
        devices = [device for device in document["devices"] if not _lost(device)]
        return Accelerators(
            driver_version=_must(system, "driver_version"),
            cuda_driver_version=_cuda(_must(system, "cuda_driver_version")),
            devices=[_device(device) for device in devices],
        )
    except ParseError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ParseError(1, output, f"the probe's NVML dump ({type(error).__name__}: {str(error)[:80]})") from None


def _lost(device: Readings) -> bool:
    return any(device.get(name, {}).get("error") in LOST for name in ("handle", "uuid", "memory_info"))


def _must(readings: Readings, name: str) -> Any:
    reading = readings.get(name, {"error": "not in the dump"})
    if "value" not in reading:
        where = f"device {readings['index']} " if "index" in readings else ""
        raise ParseError(1, f"{where}{name}: {reading['error']}", "a reading that every NVML gives")
    return reading["value"]


def _may(readings: Readings, name: str) -> Any:
    return readings.get(name, {}).get("value")


def _text(readings: Readings, name: str) -> str:
    """Empty where the product has none (a serial number on a workstation card)."""
    return "" if readings[name].get("error") in UNSUPPORTED else str(_must(readings, name))


def _device(readings: Readings) -> Device:
    _must(readings, "handle")
    corrected, uncorrected, pending, failed = _may(readings, "remapped_rows") or (None, None, None, None)
    links = _may(readings, "nvlink") or []
    fabric = _may(readings, "gpu_fabric_info") or {}
    limit = _may(readings, "power_management_limit")
    return Device(
        index=readings["index"],
        uuid=_must(readings, "uuid"),
        serial=_text(readings, "serial"),
        product_name=_must(readings, "name"),
        pci_bus_id=_must(readings, "pci_info")["busId"].lower(),
        vbios=_text(readings, "vbios_version"),
        memory_total_bytes=_must(readings, "memory_info")["total"],
        ecc_enabled=_flag((_may(readings, "ecc_mode") or [None])[0]),
        ecc_corrected_volatile=_may(readings, "total_ecc_errors_corrected_volatile"),
        ecc_uncorrected_volatile=_may(readings, "total_ecc_errors_uncorrected_volatile"),
        ecc_uncorrected_aggregate=_may(readings, "total_ecc_errors_uncorrected_aggregate"),
        remapped_rows_corrected=corrected,
        remapped_rows_uncorrected=uncorrected,
        row_remap_pending=_flag(pending),
        row_remap_failed=_flag(failed),
        pcie_generation=_may(readings, "curr_pcie_link_generation"),
        pcie_width=_may(readings, "curr_pcie_link_width"),
        pcie_replays=_may(readings, "pcie_replay_counter"),
        nvlink_active=[_may(link, "state") == ACTIVE for link in links],
        nvlink_crc_errors=[count for link in links if (count := _may(link, "crc_flit")) is not None],
        temperature_celsius=_may(readings, "temperature"),
        power_limit_watts=None if limit is None else limit / 1000,
        throttle_reasons=_reasons(readings),
        persistence_mode=_flag(_may(readings, "persistence_mode")),
        fabric_state=_fabric_state(fabric.get("state")),
        fabric_status=_fabric_status(fabric.get("status_name")),
        pcie_generation_max=_may(readings, "max_pcie_link_generation"),
        performance_state=_may(readings, "performance_state"),
    )


def _cuda(code: int) -> str:
    """1000 * major + 10 * minor (nvmlSystemGetCudaDriverVersion)."""
    return f"{code // 1000}.{code % 1000 // 10}"


def _flag(value: int | None) -> bool | None:
    return None if value is None else bool(value)


def _reasons(readings: Readings) -> list[str]:
    mask = _may(readings, "current_clocks_event_reasons")
    if mask is None:
        mask = _must(readings, "current_clocks_throttle_reasons")  # the name before driver 535
    named = [name for bit, name in THROTTLE_REASONS.items() if mask & bit]
    rest = mask & ~(sum(THROTTLE_REASONS) | IDLE)
    return named + ([f"unknown_0x{rest:x}"] if rest else [])


def _fabric_state(code: int | None) -> str | None:
    return None if code is None else FABRIC_STATES.get(code, f"unknown_{code}")


def _fabric_status(name: str | None) -> str | None:
    return "success" if name == SUCCESS else name


COLLECTOR = Collector(produces=Accelerators, parse=parse, seconds=60, roles=("accelerator",), library="nvml")
