"""amd-smi of a twin node: version, list, static, metric, xgmi, partition, process, and ``set`` of partitions.

Shapes: ROCm/amdsmi, amdsmi_cli/amdsmi_commands.py and README.md (2024-10-23); the ``gpu_data`` and ``current_partition`` wrappers and
``amdgpu_version`` as ROCm 7 prints them (public records of 2026); xgmi link status as the AMD SMI documentation shows it (7.2).
"""

from __future__ import annotations

import json
import os
import re
import sys
from typing import Any

from . import amd_partition
from .node import Accelerator, Node, asked, option

ROCM = "/opt/rocm/.info/version"
NOT_LOADED = "ERROR:root:Driver not loaded (amdgpu not found in modules)"
USAGE = "usage: amd-smi [-h]  ...\namd-smi: error: argument : invalid choice"
GIGATRANSFERS = {3: 8, 4: 16, 5: 32, 6: 64}
"""PCI Express Base Specification: GT/s per lane by generation."""


def main() -> int:
    """Entry point."""
    words = sys.argv[1:]
    verb = next((word for word in words if not word.startswith("-")), "")
    if verb not in _VERBS:
        print(USAGE, file=sys.stderr)
        return 2
    node = Node("amd")
    if not node.loaded:
        print(NOT_LOADED, file=sys.stderr)
        return 255
    return _VERBS[verb](node, words)


def _version(node: Node, words: list[str]) -> int:
    rocm = _rocm()
    said = {
        "tool": "AMDSMI Tool",
        "version": "26.2.0+021c61fc",
        "amdsmi_library_version": "26.2.0",
        "rocm_version": rocm,
        "amdgpu_version": node.driver or "N/A",
        "amd_hsmp_driver_version": "N/A",
    }
    text = (
        f"AMDSMI Tool: {said['version']} | AMDSMI Library version: {said['amdsmi_library_version']} | "
        f"ROCm version: {rocm} | amdgpu version: {said['amdgpu_version']} | amd_hsmp version: N/A"
    )
    return _say([said], words, text)


def _list(node: Node, words: list[str]) -> int:
    rows = [
        {
            "gpu": one["index"],
            "bdf": one["bus_id"],
            "uuid": one["uuid"].removeprefix("GPU-"),
            "kfd_id": int(one["serial"]) % 65536,
            "node_id": one["index"] + 2,
            "partition_id": 0,
        }
        for one in _chosen(node, words)
    ]
    return _say(rows, words)


def _static(node: Node, words: list[str]) -> int:
    compute, memory = amd_partition.current()
    rows = [
        {
            "gpu": one["index"],
            "asic": {
                "market_name": one["product"],
                "vendor_id": f"0x{one['pci_vendor']}",
                "vendor_name": "Advanced Micro Devices Inc. [AMD/ATI]",
                "device_id": f"0x{one['pci_device']}",
                "asic_serial": f"0x{int(one['serial']):016X}",
                "oam_id": one["index"],
                "target_graphics_version": GRAPHICS.get(one["architecture"], "N/A"),
            },
            "bus": {
                "bdf": one["bus_id"],
                "max_pcie_width": one["pcie_width"],
                "max_pcie_speed": _unit(GIGATRANSFERS.get(one["pcie_generation"], "N/A"), "GT/s"),
                "pcie_interface_version": f"Gen {one['pcie_generation']}",
            },
            "vbios": {"version": one["firmware"]},
            "limit": {"max_power": _unit(one["power_limit_watts"], "W")},
            "driver": {"name": "amdgpu", "version": node.driver or os.uname().release},
            "board": {"product_serial": one["serial"], "product_name": one["product"]},
            "ras": {"ecc_block_state": {"UMC": "ENABLED" if one.get("ecc", True) else "DISABLED"}},
            "partition": {"accelerator_partition": compute, "memory_partition": memory, "partition_id": 0},
            "vram": {"type": "HBM3", "size": _unit(one["memory_mib"], "MB")},
        }
        for one in _chosen(node, words)
    ]
    return _say({"gpu_data": rows}, words)


def _metric(node: Node, words: list[str]) -> int:
    rows = [
        {
            "gpu": one["index"],
            "usage": {"gfx_activity": _unit(0, "%"), "umc_activity": _unit(0, "%")},
            "power": {"socket_power": _unit(one["power_watts"], "W"), "throttle_status": "THROTTLED" if one.get("throttled") else "UNTHROTTLED"},
            "temperature": {"edge": "N/A", "hotspot": _unit(one["temperature_celsius"], "C"), "mem": _unit(one.get("memory_celsius", one["temperature_celsius"]), "C")},
            "pcie": {"width": one["pcie_width"], "speed": _unit(GIGATRANSFERS.get(one["pcie_generation"], "N/A"), "GT/s")},
            "ecc": {
                "total_correctable_count": one["ecc_corrected"],
                "total_uncorrectable_count": one["ecc_uncorrected"],
                "total_deferred_count": 0,
            },
            "mem_usage": {
                "total_vram": _unit(one["memory_mib"], "MB"),
                "used_vram": _unit(one["memory_used_mib"], "MB"),
                "free_vram": _unit(one["memory_mib"] - one["memory_used_mib"], "MB"),
            },
        }
        for one in _chosen(node, words)
    ]  # fmt: skip
    return _say({"gpu_data": rows}, words)


def _xgmi(node: Node, words: list[str]) -> int:
    everyone = node.accelerators
    if asked(words, "-l", "--link-status"):
        print("XGMI LINK STATUS:\n       bdf           link_status")
        for one in everyone:
            print(f"GPU{one['index']:<3} {one['bus_id']:<13} {' '.join(_links(one, everyone))}")
        print("* U:Up D:Down X:Disabled")
        return 0
    rows = [
        {
            "gpu": one["index"],
            "bdf": one["bus_id"],
            "link_metrics": {
                "bit_rate": _unit(32, "Gb/s"),
                "max_bandwidth": _unit(512, "Gb/s"),
                "link_type": "XGMI" if one["links"] else "N/A",
                "links": [_traffic(one, other) for other in everyone],
            },
        }
        for one in everyone
    ]
    return _say([{"xgmi_metric": rows}], words)


def _links(one: Accelerator, everyone: list[Accelerator]) -> list[str]:
    """One letter per accelerator: those behind links that are down come first."""
    others = [other["index"] for other in everyone if other["index"] != one["index"]]
    down = set(others[: one["links_down"]])
    return ["X" if other["index"] == one["index"] else "D" if other["index"] in down else "U" for other in everyone]


def _traffic(one: Accelerator, other: Accelerator) -> dict[str, Any]:
    counted = "N/A" if one["index"] == other["index"] else _unit(0, "KB")
    return {"gpu": other["index"], "bdf": other["bus_id"], "read": counted, "write": counted}


def _show_partition(node: Node, words: list[str]) -> int:
    return _say(amd_partition.shown(node), words)


def _process(node: Node, words: list[str]) -> int:
    rows = []
    for one in _chosen(node, words):
        found = [{"process_info": {"name": name, "pid": pid}} for pid, name in node.processes(one["index"])]
        idle = [{"process_info": "No running processes detected"}]
        rows.append({"gpu": one["index"], "process_list": found or idle})
    return _say(rows, words)


def _bad_pages(node: Node, words: list[str]) -> int:
    rows = []
    for one in _chosen(node, words):
        retired = [
            {"page_address": f"0x{place:x}", "page_size": 4096, "status": "RETIRED"}
            for place in range(one.get("retired_pages", 0))
        ]
        pending = (
            [{"page_address": "0x1", "page_size": 4096, "status": "PENDING"}] if one.get("retired_pending") else []
        )
        none = "No bad pages found."
        rows.append({"gpu": one["index"], "retired": retired or none, "pending": pending or none, "un_res": none})
    return _say(rows, words)


def _chosen(node: Node, words: list[str]) -> list[Accelerator]:
    wanted = option(words, "-g", "--gpu")
    return [one for one in node.accelerators if wanted in ("", "all", str(one["index"]))]


def _unit(value: object, unit: str) -> dict[str, object]:
    return {"value": value, "unit": unit}


def _rocm() -> str:
    try:
        with open(ROCM, encoding="ascii") as file:
            return re.split(r"[-\s]", file.read())[0]
    except OSError:
        return "N/A"


def _say(found: Any, words: list[str], text: str = "") -> int:
    if asked(words, "--json"):
        print(json.dumps(found, indent=4))
    else:
        rows = found["gpu_data"] if isinstance(found, dict) and "gpu_data" in found else found
        print(
            text or "\n\n".join(_block(row) for row in (rows if isinstance(rows, list) else rows["current_partition"]))
        )
    return 0


def _block(row: dict[str, Any], depth: int = 0) -> str:
    """``KEY: value`` lines, deeper ones by four blanks, as the tool prints for people."""
    lines = []
    for key, value in row.items():
        pad = "    " * depth
        if isinstance(value, dict) and set(value) != {"value", "unit"}:
            lines += [f"{pad}{key.upper()}:", _block(value, depth + 1)]
        elif isinstance(value, dict):
            lines.append(f"{pad}{key.upper()}: {value['value']} {value['unit']}")
        else:
            lines.append(f"{pad}{key.upper()}: {value}")
        depth = max(depth, 1) if key == "gpu" else depth
    return "\n".join(lines)


GRAPHICS = {"cdna2": "gfx90a", "cdna3": "gfx942", "cdna4": "gfx950"}
"""LLVM's names of the architectures (AMDGPUUsage, processors)."""
_VERBS = {
    "version": _version, "list": _list, "static": _static, "metric": _metric, "xgmi": _xgmi,
    "partition": _show_partition, "process": _process, "bad-pages": _bad_pages, "set": amd_partition.change,
}  # fmt: skip
