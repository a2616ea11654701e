"""One accelerator from its readings in the probe's dump of NVML, in NVML's units and codes.

Names and codes: nvml.h (nvmlClocksEventReasons, nvmlGpuFabricState_t, nvmlReturn_t).
"""

from typing import Any

from rackwright.collect.collector import ParseError
from rackwright.collect.loadlogs import clock_event_reasons
from rackwright.collect.parsing import nvml_links
from rackwright.model.evidence.accelerator import Device

LOST = {"NVML_ERROR_GPU_IS_LOST", "NVML_ERROR_INSUFFICIENT_POWER", "NVML_ERROR_IRQ_ISSUE"}
"""Errors of NVML for a lost device, which are not a failure of the tool."""

UNSUPPORTED = {"NVML_ERROR_NOT_SUPPORTED", "NVML_ERROR_FUNCTION_NOT_FOUND"}

FABRIC_STATES = {0: "not_supported", 1: "not_started", 2: "in_progress", 3: "completed"}
SUCCESS = "NVML_SUCCESS"
COMPUTE_MODES = {0: "default", 1: "exclusive_thread", 2: "prohibited", 3: "exclusive_process"}
RECOVERY_ACTIONS = {
    0: "none", 1: "gpu_reset", 2: "node_reboot", 3: "drain_p2p", 4: "drain_and_reset", 5: "recover_imex_domain",
    6: "bus_reset", 7: "system_reboot",
}  # fmt: skip
FABRIC_HEALTH = (
    ("degraded_bandwidth", 0, 3, (1,)),
    ("route_recovery", 2, 3, (1,)),
    ("route_unhealthy", 4, 3, (1,)),
    ("access_timeout_recovery", 6, 3, (1,)),
    ("incorrect_configuration", 8, 15, tuple(range(2, 16))),
    ("no_partition_assigned", 12, 3, (2,)),
    ("fabric_manager_disconnected", 14, 3, (2,)),
)
"""Name, shift and mask of each part of healthMask, and the values that mean a problem (NVML_GPU_FABRIC_HEALTH_MASK_*)."""
CORRUPTED = "NVML_ERROR_CORRUPTED_INFOROM"


Readings = dict[str, Any]


def lost(device: Readings) -> bool:
    """Whether NVML counts the device but cannot reach it any more."""
    return any(device.get(name, {}).get("error") in LOST for name in ("handle", "uuid", "memory_info"))


def must(readings: Readings, name: str) -> Any:
    """A value that every NVML reports; ParseError if it is missing."""
    reading = readings.get(name, {"error": "not in the dump"})
    if "value" not in reading:
        where = f"device {readings['index']} " if "index" in readings else ""
        raise ParseError(1, f"{where}{name}: {reading['error']}", "a reading that every NVML gives")
    return reading["value"]


def _optional_reading(readings: Readings, name: str) -> Any:
    return readings.get(name, {}).get("value")


def _text(readings: Readings, name: str) -> str:
    """A text; empty if the product has none (a serial number on a workstation card)."""
    return "" if _unsupported(readings, name) else str(must(readings, name))


def _unsupported(readings: Readings, name: str) -> bool:
    return readings.get(name, {}).get("error") in UNSUPPORTED


def device(readings: Readings) -> Device:
    """The record. ParseError, KeyError or ValueError for readings that do not describe a device."""
    must(readings, "handle")
    corrected, uncorrected, pending, failed = _optional_reading(readings, "remapped_rows") or (None, None, None, None)
    links = nvml_links.columns(_optional_reading(readings, "nvlink") or [])
    fabric = _optional_reading(readings, "gpu_fabric_info") or {}
    return Device(
        index=readings["index"],
        uuid=must(readings, "uuid"),
        serial=_text(readings, "serial"),
        product_name=must(readings, "name"),
        pci_bus_id=must(readings, "pci_info")["busId"].lower(),
        vbios=_text(readings, "vbios_version"),
        memory_total_bytes=0 if _unsupported(readings, "memory_info") else must(readings, "memory_info")["total"],
        ecc_enabled=_flag((_optional_reading(readings, "ecc_mode") or [None])[0]),
        ecc_corrected_volatile=_optional_reading(readings, "total_ecc_errors_corrected_volatile"),
        ecc_uncorrected_volatile=_optional_reading(readings, "total_ecc_errors_uncorrected_volatile"),
        ecc_uncorrected_aggregate=_optional_reading(readings, "total_ecc_errors_uncorrected_aggregate"),
        remapped_rows_corrected=corrected,
        remapped_rows_uncorrected=uncorrected,
        row_remap_pending=_flag(pending),
        row_remap_failed=_flag(failed),
        pcie_generation=_optional_reading(readings, "curr_pcie_link_generation"),
        pcie_width=_optional_reading(readings, "curr_pcie_link_width"),
        pcie_replays=_optional_reading(readings, "pcie_replay_counter"),
        nvlink_active=links.active,
        nvlink_crc_errors=links.crc,
        temperature_celsius=_optional_reading(readings, "temperature"),
        power_limit_watts=_watts(_optional_reading(readings, "power_management_limit")),
        throttle_reasons=_reasons(readings),
        persistence_mode=_flag(_optional_reading(readings, "persistence_mode")),
        fabric_state=_fabric_state(fabric.get("state")),
        fabric_status=_fabric_status(fabric.get("status_name")),
        pcie_generation_max=_optional_reading(readings, "max_pcie_link_generation"),
        performance_state=_optional_reading(readings, "performance_state"),
        **_board(readings),
        **_memory(readings),
        **_power(readings),
        **_use(readings),
        **_nvlink(links, fabric),
    )


def _board(readings: Readings) -> Readings:
    valid = readings.get("inforom_valid", {})
    return {
        "part_number": _optional_reading(readings, "board_part_number"),
        "inforom": _optional_reading(readings, "inforom_image_version"),
        "inforom_valid": True if "value" in valid else False if valid.get("error") == CORRUPTED else None,
        "gsp_firmware": _optional_reading(readings, "gsp_firmware_version"),
    }


def _memory(readings: Readings) -> Readings:
    counters = {
        f"ecc_{kind}_{place}": _optional_reading(readings, f"memory_error_counter_{kind}_aggregate_{place}")
        for kind, place in (("corrected", "dram"), ("corrected", "sram"), ("uncorrected", "sram"))
    }
    retired = [_field(readings, name) for name in ("RETIRED_SBE", "RETIRED_DBE")]
    banks = _optional_reading(readings, "row_remapper_histogram")
    return {
        **counters,
        "retired_pages": None if None in retired else sum(count or 0 for count in retired),
        "retired_pages_pending": _flag(_field(readings, "RETIRED_PENDING")),
        "spare_banks": None if banks is None else [banks[name] for name in ("max", "high", "partial", "low", "none")],
    }


def _power(readings: Readings) -> Readings:
    """Readings of power and temperature.

    The margin is taken from the newer call; older parts report the temperature of slowdown instead.
    """
    margin, celsius = _optional_reading(readings, "temperature_margin"), _optional_reading(readings, "temperature")
    slowdown = _optional_reading(readings, "temperature_slowdown")
    if margin is None and slowdown is not None and celsius is not None:
        margin = slowdown - celsius
    return {
        "power_limit_default_watts": _watts(_optional_reading(readings, "power_management_default_limit")),
        "power_watts": _watts(_optional_reading(readings, "power_usage")),
        "temperature_memory_celsius": _field(readings, "MEMORY_TEMP"),
        "temperature_margin_celsius": margin,
        "clock_sm_max_mhz": _optional_reading(readings, "max_clock_info_sm"),
        "clock_sm_application_mhz": _optional_reading(readings, "applications_clock_sm"),
        "clock_sm_default_mhz": _optional_reading(readings, "default_applications_clock_sm"),
    }


def _use(readings: Readings) -> Readings:
    mode, mig = _optional_reading(readings, "compute_mode"), readings.get("mig_mode", {})
    running, action = (
        _optional_reading(readings, "compute_running_processes"),
        _field(readings, "GET_GPU_RECOVERY_ACTION"),
    )
    return {
        "compute_mode": None if mode is None else COMPUTE_MODES.get(mode, f"unknown_{mode}"),
        "mig_enabled": False if mig.get("error") in UNSUPPORTED else _flag((mig.get("value") or [None])[0]),
        "processes": None if running is None else [process["pid"] for process in running],
        "recovery_action": None if action is None else RECOVERY_ACTIONS.get(action, f"unknown_{action}"),
    }


def _nvlink(links: nvml_links.NvlinkColumns, fabric: Readings) -> Readings:
    mask = fabric.get("healthMask")
    problems = (
        None if mask is None else [name for name, shift, bits, bad in FABRIC_HEALTH if mask >> shift & bits in bad]
    )
    return {
        "nvlink_mbytes_per_s": links.mbytes_per_s,
        "nvlink_replays": links.replays,
        "nvlink_recoveries": links.recoveries,
        "nvlink_peers": links.peers,
        "fabric_domain": fabric.get("clusterUuid"),
        "fabric_clique": fabric.get("cliqueId"),
        "fabric_problems": problems,
        "scale_up_active": [],  # set here, because pydantic takes longer to copy a default than to read all other fields
    }


def _field(readings: Readings, name: str) -> Any:
    """A value that NVML reports only as a field; None if the device does not have it."""
    fields = _optional_reading(readings, "fields") or {}
    return fields.get(f"NVML_FI_DEV_{name}", {}).get("value")


def _watts(milliwatts: int | None) -> float | None:
    return None if milliwatts is None else milliwatts / 1000


def _flag(value: int | None) -> bool | None:
    return None if value is None else bool(value)


def _reasons(readings: Readings) -> list[str]:
    mask = _optional_reading(readings, "current_clocks_event_reasons")
    if mask is None and _unsupported(readings, "current_clocks_throttle_reasons"):
        return ["unknown"]
    if mask is None:
        mask = must(readings, "current_clocks_throttle_reasons")  # the name before driver 535
    return clock_event_reasons.names(mask)


def _fabric_state(code: int | None) -> str | None:
    return None if code is None else FABRIC_STATES.get(code, f"unknown_{code}")


def _fabric_status(name: str | None) -> str | None:
    return "success" if name == SUCCESS else name
