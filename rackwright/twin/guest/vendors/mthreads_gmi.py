"""mthreads-gmi of a twin node: the table.

Shape: MooreThreads documentation and public records of mthreads-gmi 1.14 to 2.4 (MTT S80, S3000, S4000, S5000; 2024 to 2026).
"""

from __future__ import annotations

import sys

from .node import VendorNode, has_option, read, reading

VERSION = "1.14.0"
RULE = "-" * 63
LINE = "+" + "-" * 61 + "+"


def main() -> int:
    """Entry point."""
    words, node = sys.argv[1:], read("moore-threads")
    if has_option(words, "-v", "--version"):
        print(f"mthreads-gmi {VERSION}")
        return 0
    if not node.loaded:
        print("Error: failed to initialize MTML: driver is not loaded", file=sys.stderr)
        return 1
    print(table(node))
    return 0


def table(node: VendorNode) -> str:
    """Three lines for each accelerator, then the processes."""
    lines = [RULE, f"    mthreads-gmi:{VERSION:<15} Driver Version:{node.driver}", RULE]
    lines += [
        "ID   Name           |PCIe                |%GPU  Mem            ",
        "     Device Type    |Pcie Lane Width     |Temp  MPC Capable    ",
        "                                         |      ECC Mode       ",
        LINE,
    ]
    for gpu in node.accelerators:
        memory = f"{gpu['memory_used_mib']}MiB({gpu['memory_mib']}MiB)"
        width = reading(gpu["pcie_width"], form="{0}x({0}x)")
        lines.append(f"{gpu['index']:<5}{gpu['product']:<15}|{'0000' + gpu['bus_id']:<20}|0%    {memory}")
        lines.append(
            f"     Physical       |{width:<20}|{reading(gpu['temperature_celsius'], form='{}C')}   YES            "
        )
        lines += ["                                         |      N/A            ", LINE]
    lines += [RULE, "Processes:", "ID   PID       Process name                         GPU Memory", LINE]
    rows = [
        f"{gpu['index']:<5}{pid:<10}{name}" for gpu in node.accelerators for pid, name in node.processes(gpu["index"])
    ]
    return "\n".join([*lines, *(rows or ["   No running processes found"]), RULE])
