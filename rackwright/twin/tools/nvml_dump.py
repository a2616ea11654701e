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
MODES = ["default", "exclusive_thread", "prohibited", "exclusive_process"]
PEERS = {"gpu": 0, "npu": 1, "switch": 2, "unknown": 255}
ACTIONS = [
    "none", "gpu_reset", "node_reboot", "drain_p2p", "drain_and_reset", "recover_imex_domain", "bus_reset", "system_reboot",
]  # fmt: skip
PROBLEMS = {
    "degraded_bandwidth": 1, "route_recovery": 1 << 2, "route_unhealthy": 1 << 4, "access_timeout_recovery": 1 << 6,
    "incorrect_configuration": 2 << 8, "no_partition_assigned": 2 << 12, "fabric_manager_disconnected": 2 << 14,
}  # fmt: skip
STATES = ["not_supported", "not_started", "in_progress", "completed"]


def render(record: Accelerators) -> bytes:
    """The dump that the collector parses to `record`; power limits must be whole milliwatts."""
    major, minor = map(int, record.cuda_driver_version.split("."))
    system = {"driver_version": _said(record.driver_version), "cuda_driver_version": _said(major * 1000 + minor * 10)}
    devices = [_device(device) for device in record.devices]
    count = _said(len(devices))
    return json.dumps({"schema": 1, "init": _said(None), "system": system, "count": count, "devices": devices}).encode()


def _said(value: Any) -> dict[str, Any]:
    return {"value": value}


def _maybe(value: Any) -> dict[str, Any]:
    return UNSUPPORTED if value is None else _said(value)


def _device(one: Device) -> dict[str, Any]:
    rows = [one.remapped_rows_corrected, one.remapped_rows_uncorrected, one.row_remap_pending, one.row_remap_failed]
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
        "power_management_limit": _milliwatts(one.power_limit_watts),
        "current_clocks_event_reasons": _said(1 | sum(BITS[name] for name in one.throttle_reasons)),
        "persistence_mode": _maybe(None if one.persistence_mode is None else int(one.persistence_mode)),
        "gpu_fabric_info": _fabric(one),
        "nvlink": _links(one),
        "fields": _said(_fields(one)),
        **_more(one),
    }


def _more(one: Device) -> dict[str, Any]:
    banks = one.spare_banks
    names = ("max", "high", "partial", "low", "none")
    valid = {None: UNSUPPORTED, True: _said(None), False: {"error": "NVML_ERROR_CORRUPTED_INFOROM"}}
    mig = {None: {"error": "NVML_ERROR_UNKNOWN"}, True: _said([1, 1]), False: _said([0, 0])}
    pids = one.processes
    return {
        "board_part_number": _maybe(one.part_number),
        "inforom_image_version": _maybe(one.inforom),
        "inforom_valid": valid[one.inforom_valid],
        "gsp_firmware_version": _maybe(one.gsp_firmware),
        "memory_error_counter_corrected_aggregate_dram": _maybe(one.ecc_corrected_dram),
        "memory_error_counter_corrected_aggregate_sram": _maybe(one.ecc_corrected_sram),
        "memory_error_counter_uncorrected_aggregate_sram": _maybe(one.ecc_uncorrected_sram),
        "row_remapper_histogram": _maybe(None if banks is None else dict(zip(names, banks, strict=True))),
        "power_management_default_limit": _milliwatts(one.power_limit_default_watts),
        "power_usage": _milliwatts(one.power_watts),
        "temperature_margin": _maybe(one.temperature_margin_celsius),
        "max_clock_info_sm": _maybe(one.clock_sm_max_mhz),
        "applications_clock_sm": _maybe(one.clock_sm_application_mhz),
        "compute_mode": _maybe(None if one.compute_mode is None else MODES.index(one.compute_mode)),
        "mig_mode": mig[one.mig_enabled],
        "compute_running_processes": _maybe(None if pids is None else [{"pid": pid} for pid in pids]),
    }


def _fields(one: Device) -> dict[str, Any]:
    action = one.recovery_action
    pending = one.retired_pages_pending
    said = {
        "MEMORY_TEMP": one.temperature_memory_celsius,
        "RETIRED_SBE": one.retired_pages,
        "RETIRED_DBE": None if one.retired_pages is None else 0,
        "RETIRED_PENDING": None if pending is None else int(pending),
        "GET_GPU_RECOVERY_ACTION": None if action is None else ACTIONS.index(action),
    }
    return {f"NVML_FI_DEV_{name}": _maybe(value) for name, value in said.items()}


def _milliwatts(watts: float | None) -> dict[str, Any]:
    return _maybe(None if watts is None else round(watts * 1000))


def _fabric(one: Device) -> dict[str, Any]:
    if one.fabric_state is None:
        return UNSUPPORTED
    status = "NVML_SUCCESS" if one.fabric_status == "success" else one.fabric_status
    mask = {} if one.fabric_problems is None else {"healthMask": sum(PROBLEMS[name] for name in one.fabric_problems)}
    domain = {} if one.fabric_domain is None else {"clusterUuid": one.fabric_domain}
    clique = {} if one.fabric_clique is None else {"cliqueId": one.fabric_clique}
    return _said({"state": STATES.index(one.fabric_state), "status_name": status, **mask, **domain, **clique})


def _links(one: Device) -> dict[str, Any]:
    peers = [PEERS[peer] for peer in one.nvlink_peers]
    columns = {
        "crc_flit": one.nvlink_crc_errors,
        "speed_mbps": one.nvlink_mbytes_per_s,
        "replay": one.nvlink_replays,
        "recovery": one.nvlink_recoveries,
        "remote_type": peers,
    }
    links = [
        {"state": _said(int(active)), **{name: _at(values, number) for name, values in columns.items()}}
        for number, active in enumerate(one.nvlink_active)
    ]
    return _said(links) if links else UNSUPPORTED


def _at(values: list[int], number: int) -> dict[str, Any]:
    return _said(values[number]) if number < len(values) else UNSUPPORTED
