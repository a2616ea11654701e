"""mx-smi of a twin node: the table.

Shape: mx-smi 2.2.9 with eight MetaX C500 and driver 3.4.4, MACA 3.3.0.15 (ms-swift documentation, Metax support, 2026-02-11). How it shows a card in
another state than Available, and what it prints without its driver, is in no public record.
"""

from __future__ import annotations

import sys

from .node import Accelerator, VendorNode, read, reading

VERSION, MACA, BIOS = "2.2.9", "3.3.0.15", "1.30.0.0"
EDGE = "+" + "-" * 81 + "+"
LINE = "+------------------+-----------------+---------------------+----------------------+"


def main() -> int:
    """Entry point."""
    words, node = sys.argv[1:], read("metax")
    if words[:1] in (["-v"], ["--version"]):
        print(f"mx-smi  version: {VERSION}")
        return 0
    if not node.loaded:
        print("Error: no MetaX GPU, or the driver is not loaded", file=sys.stderr)
        return 1
    print(table(node))
    return 0


def table(node: VendorNode) -> str:
    """Two lines for each accelerator, then the processes."""
    lines = [
        f"mx-smi  version: {VERSION}",
        "",
        "=================== MetaX System Management Interface Log ===================",
        f"Attached GPUs                                     : {len(node.accelerators)}",
        EDGE,
        f"| MX-SMI {VERSION:<28}Kernel Mode Driver Version: {node.driver:<17}|",
        f"| MACA Version: {MACA:<21}BIOS Version: {BIOS:<31}|",
        LINE.replace("+", "|"),
        "| Board       Name | GPU   Persist-M | Bus-id              | GPU-Util      sGPU-M |",
        "| Pwr:Usage/Cap    | Temp       Perf | Memory-Usage        | GPU-State            |",
        "|==================+=================+=====================+======================|",
    ]
    for gpu in node.accelerators:
        lines += [*_rows(gpu), LINE]
    lines += ["", EDGE, "| Process:".ljust(82) + "|"]
    lines.append("|  GPU                    PID         Process Name                 GPU Memory     |")
    lines.append("|                                                                  Usage(MiB)     |")
    lines.append("|=================================================================================|")
    running = [(gpu["index"], pid, name) for gpu in node.accelerators for pid, name in node.processes(gpu["index"])]
    rows = [f"|  {index:<23}{pid:<12}{name:<29}0".ljust(82) + "|" for index, pid, name in running]
    return "\n".join([*lines, *(rows or ["|  no process found".ljust(82) + "|"]), EDGE])


def _rows(gpu: Accelerator) -> list[str]:
    power = f"{reading(gpu['power_watts'], form='{}W')} / {reading(gpu['power_limit_watts'], form='{}W')}"
    heat = reading(gpu["temperature_celsius"], form="{}C")
    health = gpu["health"] if "health" in gpu else "Available" if gpu["healthy"] else "Unavailable"
    memory = f"{gpu['memory_used_mib']}/{gpu['memory_mib']} MiB"
    return [
        f"| {gpu['index']:<5} {gpu['product']:>10} | {gpu['index']:<11} Off | {gpu['bus_id']:<19} | 0%          Disabled |",
        f"| {power:<16} | {heat:<12} P0 | {memory:<19} | {reading(health, missing=''):<20} |",
    ]
