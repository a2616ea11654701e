"""Prints accelerators as the verbs of amd-smi do, one section each."""

import json
from typing import Any

from rackwright.model.evidence.accelerator import Accelerators, Device

SPEEDS = {1: 2.5, 2: 5, 3: 8, 4: 16, 5: 32, 6: 64}
MIB = 2**20
NO_PAGES = "No bad pages found."
STATUS = {"": "UNTHROTTLED", "unknown": "N/A"}


def render(seen: Accelerators) -> bytes:
    """The sections whose parse is `seen`; powers must be whole watts, memory whole MiB."""
    version = [{"tool": "AMDSMI Tool", "amdgpu_version": seen.driver_version, "rocm_version": seen.cuda_driver_version}]
    each = seen.devices
    sections = {
        "version": version,
        "list": [{"gpu": one.index, "bdf": one.pci_bus_id[4:], "uuid": one.uuid} for one in each],
        "static": {"gpu_data": [_static(one) for one in each]},
        "metric": {"gpu_data": [_metric(one) for one in each]},
        "process": [_process(one) for one in each],
        "bad-pages": [_pages(one) for one in each],
    }
    text = "".join(f"== {name}\n{json.dumps(found, indent=1)}\n" for name, found in sections.items())
    rows = [
        f"GPU{one.index}  {one.pci_bus_id[4:]}  {' '.join('U' if up else 'D' for up in one.scale_up_active)}"
        for one in each
        if one.scale_up_active
    ]
    return (
        text + "== links\n" + "\n".join(["XGMI LINK STATUS:", "bdf link_status", *rows, "* U:Up D:Down X:Disabled"])
    ).encode()


def _unit(value: Any, unit: str) -> Any:
    return "N/A" if value is None else {"value": value, "unit": unit}


def _maybe(value: Any) -> Any:
    return "N/A" if value is None else value


def _static(one: Device) -> dict[str, Any]:
    ecc = {None: "N/A", True: {"UMC": "ENABLED"}, False: {"UMC": "DISABLED"}}[one.ecc_enabled]
    return {
        "gpu": one.index,
        "asic": {"market_name": one.product_name, "asic_serial": "N/A"},
        "bus": {"bdf": one.pci_bus_id[4:]},
        "vbios": {"version": one.vbios or "N/A"},
        "board": {"product_serial": one.serial or "N/A"},
        "limit": {
            "max_power": _unit(_whole(one.power_limit_watts), "W"),
            "socket_power": _unit(_whole(one.power_limit_watts), "W"),
        },
        "ras": {"ecc_block_state": ecc},
        "vram": {"size": _unit(one.memory_total_bytes // MIB, "MB")},
    }


def _metric(one: Device) -> dict[str, Any]:
    speed = None if one.pcie_generation is None else SPEEDS[one.pcie_generation]
    return {
        "gpu": one.index,
        "power": {
            "socket_power": _unit(_whole(one.power_watts), "W"),
            "throttle_status": STATUS.get(",".join(one.throttle_reasons), "THROTTLED"),
        },
        "temperature": {
            "hotspot": _unit(one.temperature_celsius, "C"),
            "mem": _unit(one.temperature_memory_celsius, "C"),
        },
        "pcie": {
            "width": _maybe(one.pcie_width),
            "speed": _unit(speed, "GT/s"),
            "replay_count": _maybe(one.pcie_replays),
        },
        "ecc": {
            "total_correctable_count": _maybe(one.ecc_corrected_volatile),
            "total_uncorrectable_count": _maybe(one.ecc_uncorrected_volatile),
        },
    }


def _process(one: Device) -> dict[str, Any]:
    if one.processes is None:
        return {"gpu": one.index}
    idle = [{"process_info": "No running processes detected"}]
    return {"gpu": one.index, "process_list": [{"process_info": {"pid": pid}} for pid in one.processes] or idle}


def _pages(one: Device) -> dict[str, Any]:
    page = {"page_address": "0x1", "page_size": 4096}
    retired = "N/A" if one.retired_pages is None else [page] * one.retired_pages or NO_PAGES
    pending = {None: "N/A", True: [page], False: NO_PAGES}[one.retired_pages_pending]
    return {"gpu": one.index, "retired": retired, "pending": pending}


def _whole(watts: float | None) -> int | None:
    return None if watts is None else round(watts)
