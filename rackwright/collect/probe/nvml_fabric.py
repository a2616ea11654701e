"""Readings that take more than one call: NVLinks, the state of their fabric, and values that NVML reports only as
fields.
"""

from __future__ import annotations

import ctypes
from typing import Any

from .nvml_reading import error_name, plain, read

LINK_COUNTERS = {
    "replay": "NVML_NVLINK_ERROR_DL_REPLAY",
    "recovery": "NVML_NVLINK_ERROR_DL_RECOVERY",
    "crc_flit": "NVML_NVLINK_ERROR_DL_CRC_FLIT",
    "crc_data": "NVML_NVLINK_ERROR_DL_CRC_DATA",
    "ecc_data": "NVML_NVLINK_ERROR_DL_ECC_DATA",
}

LINK_READINGS = {"version": "nvmlDeviceGetNvLinkVersion", "remote_type": "nvmlDeviceGetNvLinkRemoteDeviceType"}

FABRIC_FORMS = (
    ("nvmlDeviceGetGpuFabricInfoV", "c_nvmlGpuFabricInfo_v3_t"),
    ("nvmlDeviceGetGpuFabricInfoV", "c_nvmlGpuFabricInfo_v2_t"),
    ("nvmlDeviceGetGpuFabricInfo", "c_nvmlGpuFabricInfo_t"),
)
"""Newest first; an older driver refuses the newer ones."""

FIELDS = (
    "NVML_FI_DEV_MEMORY_TEMP",
    "NVML_FI_DEV_NVLINK_LINK_COUNT",
    "NVML_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL",
    "NVML_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL",
    "NVML_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL",
    "NVML_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL",
    "NVML_FI_DEV_PCIE_COUNT_CORRECTABLE_ERRORS",
    "NVML_FI_DEV_PCIE_COUNT_FATAL_ERROR",
    "NVML_FI_DEV_PCIE_COUNT_NON_FATAL_ERROR",
    "NVML_FI_DEV_RETIRED_SBE",
    "NVML_FI_DEV_RETIRED_DBE",
    "NVML_FI_DEV_RETIRED_PENDING",
    "NVML_FI_DEV_NVLINK_SPEED_MBPS_COMMON",
    "NVML_FI_DEV_GET_GPU_RECOVERY_ACTION",
)
LINK_SPEED = "NVML_FI_DEV_NVLINK_GET_SPEED"
"""A field of one link: requested for all links at once, with the link as scope."""

VALUE_MEMBERS = {
    "NVML_VALUE_TYPE_DOUBLE": "dVal",
    "NVML_VALUE_TYPE_UNSIGNED_INT": "uiVal",
    "NVML_VALUE_TYPE_UNSIGNED_LONG": "ulVal",
    "NVML_VALUE_TYPE_UNSIGNED_LONG_LONG": "ullVal",
    "NVML_VALUE_TYPE_SIGNED_LONG_LONG": "sllVal",
    "NVML_VALUE_TYPE_SIGNED_INT": "siVal",
    "NVML_VALUE_TYPE_UNSIGNED_SHORT": "usVal",
}
"""Member of the union nvmlValue_t by nvmlValueType_t."""


def links(nvml: Any, gpu: Any) -> dict[str, Any]:
    """Readings of every NVLink of the device, in link order; an error if the library knows none."""
    links_found: list[dict[str, Any]] = []
    for link in range(nvml.NVML_NVLINK_MAX_LINKS):
        state = read(nvml, "nvmlDeviceGetNvLinkState", gpu, link)
        if "error" in state and not links_found:
            return state
        if state.get("error") == "NVML_ERROR_INVALID_ARGUMENT":
            break  # past the last link of this device
        counters = {
            name: read(nvml, "nvmlDeviceGetNvLinkErrorCounter", gpu, link, getattr(nvml, constant))
            for name, constant in LINK_COUNTERS.items()
        }
        more = {name: read(nvml, function, gpu, link) for name, function in LINK_READINGS.items()}
        links_found.append({"state": state, **more, **counters})
    for entry, speed in zip(links_found, _speeds(nvml, gpu, len(links_found)), strict=False):
        entry["speed_mbps"] = speed
    return {"value": links_found}


def _speeds(nvml: Any, gpu: Any, count: int) -> list[dict[str, Any]]:
    field = getattr(nvml, LINK_SPEED, None)
    if field is None or not count:
        return []
    try:
        values = nvml.nvmlDeviceGetFieldValues(gpu, [(field, link) for link in range(count)])
    except nvml.NVMLError as error:
        return [{"error": error_name(nvml, error.value)}] * count
    return [_field(nvml, value) for value in values]


def fabric_info(nvml: Any, gpu: Any) -> dict[str, Any]:
    """The fabric state in the newest form that both driver and pynvml support, with the name of its status."""
    answers: list[dict[str, Any]] = []
    for function, structure in FABRIC_FORMS:
        if not hasattr(nvml, structure):
            continue
        info = getattr(nvml, structure)()
        answers.append(read(nvml, function, gpu, ctypes.byref(info)))
        if "value" in answers[-1]:
            fields = {"structure": structure, "status_name": error_name(nvml, info.status)}
            return {"value": {**plain(info), **fields}}
    return answers[-1] if answers else {"error": "this pynvml has no nvmlGpuFabricInfo_t"}


def field_values(nvml: Any, gpu: Any) -> dict[str, Any]:
    """The fields of `FIELDS`, each with its own return code."""
    names = [name for name in FIELDS if hasattr(nvml, name)]
    try:
        values = nvml.nvmlDeviceGetFieldValues(gpu, [getattr(nvml, name) for name in names])
    except nvml.NVMLError as error:
        return {"error": error_name(nvml, error.value)}
    return {"value": {name: _field(nvml, values[place]) for place, name in enumerate(names)}}


def _field(nvml: Any, value: Any) -> dict[str, Any]:
    if value.nvmlReturn:
        return {"error": error_name(nvml, value.nvmlReturn)}
    for constant, member in VALUE_MEMBERS.items():
        if value.valueType == getattr(nvml, constant, None) and hasattr(value.value, member):
            return {"value": getattr(value.value, member)}
    return {"error": f"unknown value type {value.valueType}"}
