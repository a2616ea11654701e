"""amd-smi of a twin node: version, list, static, metric, xgmi, partition, process, bad-pages, and ``set`` of partitions.

Shapes: ROCm/amdsmi, amdsmi_cli/amdsmi_commands.py and README.md (2024-10-23); the ``gpu_data`` and ``current_partition`` wrappers and
``amdgpu_version`` as ROCm 7 prints them (public records of 2026); xgmi link status as the AMD SMI documentation shows it (7.2).
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from . import amd_partition, amd_smi_rows
from .node import VendorNode, has_option, option, read

ROCM = "/opt/rocm/.info/version"
NOT_LOADED = "ERROR:root:Driver not loaded (amdgpu not found in modules)"
USAGE = "usage: amd-smi [-h]  ...\namd-smi: error: argument : invalid choice"


def main() -> int:
    """Entry point."""
    words = sys.argv[1:]
    verb = next((word for word in words if not word.startswith("-")), "")
    if verb not in (*amd_smi_rows.ROWS, "version", "xgmi", "partition", "set"):
        print(USAGE, file=sys.stderr)
        return 2
    node = read("amd")
    if not node.loaded:
        print(NOT_LOADED, file=sys.stderr)
        return 255
    if verb == "set":
        return amd_partition.change(node, words)
    print(
        _version(node, words)
        if verb == "version"
        else _xgmi(node, words)
        if verb == "xgmi"
        else _rows(verb, node, words)
    )
    return 0


def document(verb: str, node: VendorNode, partition: tuple[str, str]) -> str:
    """What ``amd-smi VERB --json`` prints of all accelerators; `partition`: compute and memory mode."""
    return json.dumps(amd_smi_rows.rows(verb, node, node.accelerators, partition), indent=4)


def version(node: VendorNode, rocm: str) -> str:
    """What ``amd-smi version --json`` prints."""
    return json.dumps([_releases(node, rocm)], indent=4)


def links(node: VendorNode) -> str:
    """What ``amd-smi xgmi -l`` prints."""
    lines = ["XGMI LINK STATUS:", "       bdf           link_status"]
    for position, gpu in enumerate(node.accelerators):
        letters = " ".join(_letters(gpu, position, len(node.accelerators)))
        lines.append(f"GPU{gpu['index']:<3} {gpu['bus_id']:<13} {letters}")
    return "\n".join([*lines, "* U:Up D:Down X:Disabled"])


def _version(node: VendorNode, words: list[str]) -> str:
    rocm = _rocm()
    if has_option(words, "--json"):
        return version(node, rocm)
    releases = _releases(node, rocm)
    return (
        f"AMDSMI Tool: {releases['version']} | AMDSMI Library version: {releases['amdsmi_library_version']} | "
        f"ROCm version: {rocm} | amdgpu version: {releases['amdgpu_version']} | amd_hsmp version: N/A"
    )


def _releases(node: VendorNode, rocm: str) -> dict[str, str]:
    return {
        "tool": "AMDSMI Tool",
        "version": "26.2.0+021c61fc",
        "amdsmi_library_version": "26.2.0",
        "rocm_version": rocm,
        "amdgpu_version": node.driver or "N/A",
        "amd_hsmp_driver_version": "N/A",
    }


def _letters(gpu: dict[str, Any], position: int, count: int) -> list[str]:
    """One letter per accelerator, X for itself; links that are down come first."""
    active = gpu.get("links_active", [link >= gpu.get("links_down", 0) for link in range(count - 1)])
    letters = ["U" if up else "D" for up in active]
    letters.insert(position, "X")
    return letters


def _xgmi(node: VendorNode, words: list[str]) -> str:
    if has_option(words, "-l", "--link-status"):
        return links(node)
    return _text(amd_smi_rows.xgmi(node), words)


def _rows(verb: str, node: VendorNode, words: list[str]) -> str:
    if verb == "partition":
        return _text(amd_partition.current_rows(node), words)
    chosen = option(words, "-g", "--gpu")
    gpus = [gpu for gpu in node.accelerators if chosen in ("", "all", str(gpu["index"]))]
    return _text(amd_smi_rows.rows(verb, node, gpus, amd_partition.current()), words)


def _text(printed: Any, words: list[str]) -> str:
    if has_option(words, "--json"):
        return json.dumps(printed, indent=4)
    rows = printed if isinstance(printed, list) else next(iter(printed.values()))
    return "\n\n".join(_block(row) for row in rows)


def _rocm() -> str:
    try:
        with open(ROCM, encoding="ascii") as file:
            return re.split(r"[-\s]", file.read())[0]
    except OSError:
        return "N/A"


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
