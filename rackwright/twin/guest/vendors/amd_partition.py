"""Partition modes of AMD accelerators: what `amd-smi` shows and sets of them.

Shape of ``current_partition``: public records of ROCm 6 and 7 (2025, 2026).
"""

from __future__ import annotations

import sys

from .node import VendorNode, option

PARTITION = "/run/rackwright-twin/amd-partition"
"""``CPX NPS4``: what was set since the driver was loaded; a reboot forgets it, as the hardware does."""
DEFAULT = ("SPX", "NPS1")


def current_rows(node: VendorNode) -> dict[str, object]:
    """What ``amd-smi partition --current --json`` prints."""
    compute, memory = current()
    rows = [
        {
            "gpu_id": gpu["index"],
            "memory": memory,
            "accelerator_type": compute,
            "accelerator_profile_index": 0,
            "partition_id": "0",
        }
        for gpu in node.accelerators
    ]
    return {"current_partition": rows}


def change(node: VendorNode, words: list[str]) -> int:
    """``amd-smi set``: both modes of all accelerators; refused while a program runs on one."""
    compute, memory = current()
    if any(node.processes(gpu["index"]) for gpu in node.accelerators):
        print("ValueError: Unable to set partition: Device busy (AMDSMI_STATUS_BUSY)", file=sys.stderr)
        return 1
    compute = option(words, "-C", "--compute-partition") or compute
    memory = option(words, "-M", "--memory-partition") or memory
    if compute not in ("SPX", "DPX", "TPX", "QPX", "CPX") or memory not in ("NPS1", "NPS2", "NPS4", "NPS8"):
        print("amd-smi: error: Invalid parameter", file=sys.stderr)
        return 2
    with open(PARTITION, "w", encoding="ascii") as file:
        file.write(f"{compute} {memory}\n")
    for gpu in node.accelerators:
        print(f"GPU: {gpu['index']}\n    PARTITION: Successfully set partition to {compute} {memory}\n")
    return 0


def current() -> tuple[str, str]:
    """Compute and memory mode."""
    try:
        with open(PARTITION, encoding="ascii") as file:
            compute, memory = file.read().split()
    except (OSError, ValueError):
        return DEFAULT
    return compute, memory
