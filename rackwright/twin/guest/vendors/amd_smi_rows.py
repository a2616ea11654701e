"""The rows of amd-smi: what its verbs print of each accelerator, as JSON.

Source: ROCm/amdsmi, amdsmi_cli/amdsmi_commands.py, as `amd_smi`.
"""

from __future__ import annotations

import os
from typing import Any

from .node import Accelerator, VendorNode

Row = dict[str, Any]
GIGATRANSFERS = {1: 2.5, 2: 5, 3: 8, 4: 16, 5: 32, 6: 64}
"""PCI Express Base Specification: GT/s per lane by generation."""
GRAPHICS = {"cdna2": "gfx90a", "cdna3": "gfx942", "cdna4": "gfx950"}
"""LLVM's names of the architectures (AMDGPUUsage, processors)."""
NO_PAGES = "No bad pages found."
THROTTLE = {True: "THROTTLED", False: "UNTHROTTLED", None: "N/A"}
ECC: dict[bool | None, Any] = {True: {"UMC": "ENABLED"}, False: {"UMC": "DISABLED"}, None: "N/A"}


def rows(verb: str, node: VendorNode, gpus: list[Accelerator], partition: tuple[str, str]) -> Any:
    """What ``amd-smi VERB --json`` holds of `gpus`; `partition`: compute and memory mode."""
    printed = [ROWS[verb](gpu, node, partition) for gpu in gpus]
    return {"gpu_data": printed} if verb in ("static", "metric") else printed


def xgmi(node: VendorNode) -> list[Row]:
    """What ``amd-smi xgmi`` prints of the links between all accelerators."""
    metrics = [
        {
            "gpu": gpu["index"],
            "bdf": gpu["bus_id"],
            "link_metrics": {
                "bit_rate": _unit(32, "Gb/s"),
                "max_bandwidth": _unit(512, "Gb/s"),
                "link_type": "XGMI" if gpu["links"] else "N/A",
                "links": [_traffic(gpu, peer) for peer in node.accelerators],
            },
        }
        for gpu in node.accelerators
    ]
    return [{"xgmi_metric": metrics}]


def _traffic(gpu: Accelerator, peer: Accelerator) -> Row:
    counted = "N/A" if gpu["index"] == peer["index"] else _unit(0, "KB")
    return {"gpu": peer["index"], "bdf": peer["bus_id"], "read": counted, "write": counted}


def _list(gpu: Accelerator, node: VendorNode, partition: tuple[str, str]) -> Row:
    del node, partition
    return {
        "gpu": gpu["index"],
        "bdf": gpu["bus_id"],
        "uuid": gpu["uuid"].removeprefix("GPU-"),
        "kfd_id": _serial(gpu) % 65536,
        "node_id": gpu["index"] + 2,
        "partition_id": 0,
    }


def _static(gpu: Accelerator, node: VendorNode, partition: tuple[str, str]) -> Row:
    compute, memory = partition
    return {
        "gpu": gpu["index"],
        "asic": {
            "market_name": gpu["product"],
            "vendor_id": f"0x{gpu['pci_vendor']}",
            "vendor_name": "Advanced Micro Devices Inc. [AMD/ATI]",
            "device_id": f"0x{gpu['pci_device']}",
            "asic_serial": f"0x{_serial(gpu):016X}",
            "oam_id": gpu["index"],
            "target_graphics_version": GRAPHICS.get(gpu["architecture"], "N/A"),
        },
        "bus": {
            "bdf": gpu["bus_id"],
            "max_pcie_width": _value_or_na(gpu["pcie_width"]),
            "max_pcie_speed": _speed(gpu),
            "pcie_interface_version": f"Gen {gpu['pcie_generation']}",
        },
        "vbios": {"version": gpu["firmware"]},
        "limit": {"max_power": _unit(gpu["power_limit_watts"], "W")},
        "driver": {"name": "amdgpu", "version": node.driver or os.uname().release},
        "board": {"product_serial": gpu["serial"], "product_name": gpu["product"]},
        "ras": {"ecc_block_state": ECC[gpu.get("ecc", True)]},
        "partition": {"accelerator_partition": compute, "memory_partition": memory, "partition_id": 0},
        "vram": {"type": "HBM3", "size": _unit(gpu["memory_mib"], "MB")},
    }


def _metric(gpu: Accelerator, node: VendorNode, partition: tuple[str, str]) -> Row:
    del node, partition
    replays = {"replay_count": gpu["pcie_replays"]} if gpu.get("pcie_replays") is not None else {}
    return {
        "gpu": gpu["index"],
        "usage": {"gfx_activity": _unit(0, "%"), "umc_activity": _unit(0, "%")},
        "power": {
            "socket_power": _unit(gpu["power_watts"], "W"),
            "throttle_status": THROTTLE[gpu.get("throttled", False)],
        },
        "temperature": {
            "edge": "N/A",
            "hotspot": _unit(gpu["temperature_celsius"], "C"),
            "mem": _unit(gpu.get("memory_celsius", gpu["temperature_celsius"]), "C"),
        },
        "pcie": {"width": _value_or_na(gpu["pcie_width"]), "speed": _speed(gpu), **replays},
        "ecc": {
            "total_correctable_count": _value_or_na(gpu["ecc_corrected"]),
            "total_uncorrectable_count": _value_or_na(gpu["ecc_uncorrected"]),
            "total_deferred_count": 0,
        },
        "mem_usage": {
            "total_vram": _unit(gpu["memory_mib"], "MB"),
            "used_vram": _unit(gpu["memory_used_mib"], "MB"),
            "free_vram": _unit(gpu["memory_mib"] - gpu["memory_used_mib"], "MB"),
        },
    }


def _process(gpu: Accelerator, node: VendorNode, partition: tuple[str, str]) -> Row:
    del partition
    if gpu.get("processes_unread"):
        return {"gpu": gpu["index"]}
    programs = [{"process_info": {"name": name, "pid": pid}} for pid, name in node.processes(gpu["index"])]
    idle = [{"process_info": "No running processes detected"}]
    return {"gpu": gpu["index"], "process_list": programs or idle}


def _bad_pages(gpu: Accelerator, node: VendorNode, partition: tuple[str, str]) -> Row:
    del node, partition
    count, pending = gpu.get("retired_pages", 0), gpu.get("retired_pending", False)
    retired = [{"page_address": f"0x{place:x}", "page_size": 4096, "status": "RETIRED"} for place in range(count or 0)]
    waiting = [{"page_address": "0x1", "page_size": 4096, "status": "PENDING"}] if pending else []
    return {
        "gpu": gpu["index"],
        "retired": "N/A" if count is None else retired or NO_PAGES,
        "pending": "N/A" if pending is None else waiting or NO_PAGES,
        "un_res": NO_PAGES,
    }


def _serial(gpu: Accelerator) -> int:
    """The serial number, which this vendor writes in digits; 0 for another text."""
    return int(gpu["serial"]) if gpu["serial"].isdecimal() else 0


def _speed(gpu: Accelerator) -> Any:
    generation = gpu["pcie_generation"]
    return _value_or_na(None) if generation is None else _unit(GIGATRANSFERS.get(generation, "N/A"), "GT/s")


def _unit(value: object, unit: str) -> Any:
    return "N/A" if value is None else {"value": value, "unit": unit}


def _value_or_na(value: Any) -> Any:
    return "N/A" if value is None else value


ROWS = {"list": _list, "static": _static, "metric": _metric, "process": _process, "bad-pages": _bad_pages}
