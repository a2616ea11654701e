"""Names of the readings, and the call that makes each.

Memory error locations: nvml.h, nvmlMemoryLocation_t.
"""

from __future__ import annotations

from typing import Any

from .nvml_reading import read

SYSTEM = {
    "driver_version": "nvmlSystemGetDriverVersion",
    "nvml_version": "nvmlSystemGetNVMLVersion",
    "cuda_driver_version": "nvmlSystemGetCudaDriverVersion_v2",
}

DEVICE: dict[str, tuple[Any, ...]] = {
    "name": ("nvmlDeviceGetName",),
    "uuid": ("nvmlDeviceGetUUID",),
    "serial": ("nvmlDeviceGetSerial",),
    "minor_number": ("nvmlDeviceGetMinorNumber",),
    "board_part_number": ("nvmlDeviceGetBoardPartNumber",),
    "vbios_version": ("nvmlDeviceGetVbiosVersion",),
    "inforom_image_version": ("nvmlDeviceGetInforomImageVersion",),
    "gsp_firmware_version": ("nvmlDeviceGetGspFirmwareVersion",),
    "cuda_compute_capability": ("nvmlDeviceGetCudaComputeCapability",),
    "pci_info": ("nvmlDeviceGetPciInfo_v3",),
    "memory_info": ("nvmlDeviceGetMemoryInfo",),
    "memory_info_v2": ("nvmlDeviceGetMemoryInfo", "nvmlMemory_v2"),
    "ecc_mode": ("nvmlDeviceGetEccMode",),
    "remapped_rows": ("nvmlDeviceGetRemappedRows",),
    "row_remapper_histogram": ("nvmlDeviceGetRowRemapperHistogram",),
    "curr_pcie_link_generation": ("nvmlDeviceGetCurrPcieLinkGeneration",),
    "curr_pcie_link_width": ("nvmlDeviceGetCurrPcieLinkWidth",),
    "max_pcie_link_generation": ("nvmlDeviceGetMaxPcieLinkGeneration",),
    "max_pcie_link_width": ("nvmlDeviceGetMaxPcieLinkWidth",),
    "pcie_replay_counter": ("nvmlDeviceGetPcieReplayCounter",),
    "performance_state": ("nvmlDeviceGetPerformanceState",),
    "temperature": ("nvmlDeviceGetTemperature", "NVML_TEMPERATURE_GPU"),
    "temperature_v": ("nvmlDeviceGetTemperatureV", "NVML_TEMPERATURE_GPU"),
    "temperature_margin": ("nvmlDeviceGetMarginTemperature",),
    "temperature_slowdown": ("nvmlDeviceGetTemperatureThreshold", "NVML_TEMPERATURE_THRESHOLD_SLOWDOWN"),
    "inforom_valid": ("nvmlDeviceValidateInforom",),
    "max_clock_info_sm": ("nvmlDeviceGetMaxClockInfo", "NVML_CLOCK_SM"),
    "applications_clock_sm": ("nvmlDeviceGetApplicationsClock", "NVML_CLOCK_SM"),
    "default_applications_clock_sm": ("nvmlDeviceGetDefaultApplicationsClock", "NVML_CLOCK_SM"),
    "power_management_limit": ("nvmlDeviceGetPowerManagementLimit",),
    "power_management_default_limit": ("nvmlDeviceGetPowerManagementDefaultLimit",),
    "enforced_power_limit": ("nvmlDeviceGetEnforcedPowerLimit",),
    "power_usage": ("nvmlDeviceGetPowerUsage",),
    "current_clocks_event_reasons": ("nvmlDeviceGetCurrentClocksEventReasons",),
    "current_clocks_throttle_reasons": ("nvmlDeviceGetCurrentClocksThrottleReasons",),
    "clock_info_sm": ("nvmlDeviceGetClockInfo", "NVML_CLOCK_SM"),
    "clock_info_memory": ("nvmlDeviceGetClockInfo", "NVML_CLOCK_MEM"),
    "persistence_mode": ("nvmlDeviceGetPersistenceMode",),
    "compute_mode": ("nvmlDeviceGetComputeMode",),
    "mig_mode": ("nvmlDeviceGetMigMode",),
    "compute_running_processes": ("nvmlDeviceGetComputeRunningProcesses",),
}

ECC_KINDS = {"corrected": "NVML_MEMORY_ERROR_TYPE_CORRECTED", "uncorrected": "NVML_MEMORY_ERROR_TYPE_UNCORRECTED"}
ECC_COUNTERS = {"volatile": "NVML_VOLATILE_ECC", "aggregate": "NVML_AGGREGATE_ECC"}
ECC_PLACES = {"dram": "NVML_MEMORY_LOCATION_DRAM", "sram": "NVML_MEMORY_LOCATION_SRAM"}

for _kind, _kind_code in ECC_KINDS.items():
    for _counter, _counter_code in ECC_COUNTERS.items():
        _which = (_kind_code, _counter_code)
        DEVICE[f"total_ecc_errors_{_kind}_{_counter}"] = ("nvmlDeviceGetTotalEccErrors", *_which)
        for _place, _place_code in ECC_PLACES.items():
            _name = f"memory_error_counter_{_kind}_{_counter}_{_place}"
            DEVICE[_name] = ("nvmlDeviceGetMemoryErrorCounter", *_which, _place_code)


def device(nvml: Any, gpu: Any) -> dict[str, Any]:
    """Every reading of `DEVICE`, by name."""
    return {name: _call(nvml, gpu, call) for name, call in DEVICE.items()}


def _call(nvml: Any, gpu: Any, call: tuple[Any, ...]) -> dict[str, Any]:
    function, *words = call
    missing = [word for word in words if not hasattr(nvml, word)]
    if missing:
        return {"error": f"this pynvml has no {missing[0]}"}
    return read(nvml, function, gpu, *(getattr(nvml, word) for word in words))
