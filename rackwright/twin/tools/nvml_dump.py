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
    system = {"driver_version": _value(record.driver_version), "cuda_driver_version": _value(major * 1000 + minor * 10)}
    devices = [_device(device) for device in record.devices]
    count = _value(len(devices))
    return json.dumps(
        {"schema": 1, "init": _value(None), "system": system, "count": count, "devices": devices}
    ).encode()


def _value(value: Any) -> dict[str, Any]:
    return {"value": value}


def _value_or_unsupported(value: Any) -> dict[str, Any]:
    return UNSUPPORTED if value is None else _value(value)


def _device(device: Device) -> dict[str, Any]:
    rows = [
        device.remapped_rows_corrected,
        device.remapped_rows_uncorrected,
        device.row_remap_pending,
        device.row_remap_failed,
    ]
    return {
        "index": device.index,
        "handle": _value(True),
        "name": _value(device.product_name),
        "uuid": _value(device.uuid),
        "serial": _value(device.serial),
        "vbios_version": _value(device.vbios),
        "pci_info": _value({"busId": device.pci_bus_id.upper()}),
        "memory_info": _value({"total": device.memory_total_bytes, "free": 0, "used": 0}),
        "ecc_mode": _value_or_unsupported(None if device.ecc_enabled is None else [int(device.ecc_enabled), 1]),
        "total_ecc_errors_corrected_volatile": _value_or_unsupported(device.ecc_corrected_volatile),
        "total_ecc_errors_uncorrected_volatile": _value_or_unsupported(device.ecc_uncorrected_volatile),
        "total_ecc_errors_uncorrected_aggregate": _value_or_unsupported(device.ecc_uncorrected_aggregate),
        "remapped_rows": _value_or_unsupported(None if None in rows else [int(row or 0) for row in rows]),
        "curr_pcie_link_generation": _value_or_unsupported(device.pcie_generation),
        "curr_pcie_link_width": _value_or_unsupported(device.pcie_width),
        "max_pcie_link_generation": _value_or_unsupported(device.pcie_generation_max),
        "pcie_replay_counter": _value_or_unsupported(device.pcie_replays),
        "performance_state": _value_or_unsupported(device.performance_state),
        "temperature": _value_or_unsupported(device.temperature_celsius),
        "power_management_limit": _milliwatts(device.power_limit_watts),
        "current_clocks_event_reasons": _value(1 | sum(BITS[name] for name in device.throttle_reasons)),
        "persistence_mode": _value_or_unsupported(
            None if device.persistence_mode is None else int(device.persistence_mode)
        ),
        "gpu_fabric_info": _fabric(device),
        "nvlink": _links(device),
        "fields": _value(_fields(device)),
        **_further_readings(device),
    }


def _further_readings(device: Device) -> dict[str, Any]:
    banks = device.spare_banks
    names = ("max", "high", "partial", "low", "none")
    valid = {None: UNSUPPORTED, True: _value(None), False: {"error": "NVML_ERROR_CORRUPTED_INFOROM"}}
    mig = {None: {"error": "NVML_ERROR_UNKNOWN"}, True: _value([1, 1]), False: _value([0, 0])}
    pids = device.processes
    return {
        "board_part_number": _value_or_unsupported(device.part_number),
        "inforom_image_version": _value_or_unsupported(device.inforom),
        "inforom_valid": valid[device.inforom_valid],
        "gsp_firmware_version": _value_or_unsupported(device.gsp_firmware),
        "memory_error_counter_corrected_aggregate_dram": _value_or_unsupported(device.ecc_corrected_dram),
        "memory_error_counter_corrected_aggregate_sram": _value_or_unsupported(device.ecc_corrected_sram),
        "memory_error_counter_uncorrected_aggregate_sram": _value_or_unsupported(device.ecc_uncorrected_sram),
        "row_remapper_histogram": _value_or_unsupported(
            None if banks is None else dict(zip(names, banks, strict=True))
        ),
        "power_management_default_limit": _milliwatts(device.power_limit_default_watts),
        "power_usage": _milliwatts(device.power_watts),
        "temperature_margin": _value_or_unsupported(device.temperature_margin_celsius),
        "max_clock_info_sm": _value_or_unsupported(device.clock_sm_max_mhz),
        "applications_clock_sm": _value_or_unsupported(device.clock_sm_application_mhz),
        "default_applications_clock_sm": _value_or_unsupported(device.clock_sm_default_mhz),
        "compute_mode": _value_or_unsupported(
            None if device.compute_mode is None else MODES.index(device.compute_mode)
        ),
        "mig_mode": mig[device.mig_enabled],
        "compute_running_processes": _value_or_unsupported(None if pids is None else [{"pid": pid} for pid in pids]),
    }


def _fields(device: Device) -> dict[str, Any]:
    action = device.recovery_action
    pending = device.retired_pages_pending
    values = {
        "MEMORY_TEMP": device.temperature_memory_celsius,
        "RETIRED_SBE": device.retired_pages,
        "RETIRED_DBE": None if device.retired_pages is None else 0,
        "RETIRED_PENDING": None if pending is None else int(pending),
        "GET_GPU_RECOVERY_ACTION": None if action is None else ACTIONS.index(action),
    }
    return {f"NVML_FI_DEV_{name}": _value_or_unsupported(value) for name, value in values.items()}


def _milliwatts(watts: float | None) -> dict[str, Any]:
    return _value_or_unsupported(None if watts is None else round(watts * 1000))


def _fabric(device: Device) -> dict[str, Any]:
    if device.fabric_state is None:
        return UNSUPPORTED
    status = "NVML_SUCCESS" if device.fabric_status == "success" else device.fabric_status
    mask = (
        {} if device.fabric_problems is None else {"healthMask": sum(PROBLEMS[name] for name in device.fabric_problems)}
    )
    domain = {} if device.fabric_domain is None else {"clusterUuid": device.fabric_domain}
    clique = {} if device.fabric_clique is None else {"cliqueId": device.fabric_clique}
    return _value({"state": STATES.index(device.fabric_state), "status_name": status, **mask, **domain, **clique})


def _links(device: Device) -> dict[str, Any]:
    peers = [PEERS[peer] for peer in device.nvlink_peers]
    columns = {
        "crc_flit": device.nvlink_crc_errors,
        "speed_mbps": device.nvlink_mbytes_per_s,
        "replay": device.nvlink_replays,
        "recovery": device.nvlink_recoveries,
        "remote_type": peers,
    }
    links = [
        {"state": _value(int(active)), **{name: _value_at(values, number) for name, values in columns.items()}}
        for number, active in enumerate(device.nvlink_active)
    ]
    return _value(links) if links else UNSUPPORTED


def _value_at(values: list[int], number: int) -> dict[str, Any]:
    return _value(values[number]) if number < len(values) else UNSUPPORTED
