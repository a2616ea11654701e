"""Prints accelerators as the probe's dump of NVML does, with errors where the record has no reading."""

import json
from typing import Any

from rackwright.model.evidence.accelerator import Accelerators, Device

UNSUPPORTED = {"error": "NVML_ERROR_NOT_SUPPORTED"}
BITS = {
    "applications_clocks_setting": 0x002, "sw_power_cap": 0x004, "hw_slowdown": 0x008, "sync_boost": 0x010,
    "sw_thermal_slowdown": 0x020, "hw_thermal_slowdown": 0x040, "hw_power_brake_slowdown": 0x080,
    "display_clock_setting": 0x100,
}  # fmt: skip
STATES = ["not_supported", "not_started", "in_progress", "completed"]


def render(seen: Accelerators) -> bytes:
    """The dump whose parse is `seen`; power limits must be whole milliwatts."""
    major, minor = map(int, seen.cuda_driver_version.split("."))
    system = {"driver_version": _said(seen.driver_version), "cuda_driver_version": _said(major * 1000 + minor * 10)}
    devices = [_device(device) for device in seen.devices]
    count = _said(len(devices))
    return json.dumps({"schema": 1, "init": _said(None), "system": system, "count": count, "devices": devices}).encode()


def _said(value: Any) -> dict[str, Any]:
    return {"value": value}


def _maybe(value: Any) -> dict[str, Any]:
    return UNSUPPORTED if value is None else _said(value)


def _device(one: Device) -> dict[str, Any]:
    rows = [one.remapped_rows_corrected, one.remapped_rows_uncorrected, one.row_remap_pending, one.row_remap_failed]
    limit = one.power_limit_watts
    return {
        "index": one.index,
        "handle": _said(True),
        "name": _said(one.product_name),
        "uuid": _said(one.uuid),
        "serial": _said(one.serial),
        "vbios_version": _said(one.vbios),
        "pci_info": _said({"busId": one.pci_bus_id.upper()}),
        "memory_info": _said({"total": one.memory_total_bytes, "free": 0, "used": 0}),
        "ecc_mode": _maybe(None if one.ecc_enabled is None else [int(one.ecc_enabled), 1]),
        "total_ecc_errors_corrected_volatile": _maybe(one.ecc_corrected_volatile),
        "total_ecc_errors_uncorrected_volatile": _maybe(one.ecc_uncorrected_volatile),
        "total_ecc_errors_uncorrected_aggregate": _maybe(one.ecc_uncorrected_aggregate),
        "remapped_rows": _maybe(None if None in rows else [int(row or 0) for row in rows]),
        "curr_pcie_link_generation": _maybe(one.pcie_generation),
        "curr_pcie_link_width": _maybe(one.pcie_width),
        "max_pcie_link_generation": _maybe(one.pcie_generation_max),
        "pcie_replay_counter": _maybe(one.pcie_replays),
        "performance_state": _maybe(one.performance_state),
        "temperature": _maybe(one.temperature_celsius),
        "power_management_limit": _maybe(None if limit is None else round(limit * 1000)),
        "current_clocks_event_reasons": _said(1 | sum(BITS[name] for name in one.throttle_reasons)),
        "persistence_mode": _maybe(None if one.persistence_mode is None else int(one.persistence_mode)),
        "gpu_fabric_info": _fabric(one),
        "nvlink": _links(one),
    }


def _fabric(one: Device) -> dict[str, Any]:
    if one.fabric_state is None:
        return UNSUPPORTED
    status = "NVML_SUCCESS" if one.fabric_status == "success" else one.fabric_status
    return _said({"state": STATES.index(one.fabric_state), "status_name": status})


def _links(one: Device) -> dict[str, Any]:
    counts = [*one.nvlink_crc_errors, *[None] * len(one.nvlink_active)]
    links = [
        {"state": _said(int(active)), "crc_flit": _maybe(count)}
        for active, count in zip(one.nvlink_active, counts, strict=False)
    ]
    return _said(links) if links else UNSUPPORTED
