"""mthreads-gmi of a twin node: the table.

Shape: MooreThreads documentation and public records of mthreads-gmi 1.14 to 2.4 (MTT S80, S3000, S4000, S5000; 2024 to 2026).
"""

from __future__ import annotations

import sys

from .node import Node, asked

VERSION = "1.14.0"
RULE = "-" * 63
LINE = "+" + "-" * 61 + "+"


def main() -> int:
    """Entry point."""
    words, node = sys.argv[1:], Node("moore-threads")
    if asked(words, "-v", "--version"):
        print(f"mthreads-gmi {VERSION}")
        return 0
    if not node.loaded:
        print("Error: failed to initialize MTML: driver is not loaded", file=sys.stderr)
        return 1
    lines = [RULE, f"    mthreads-gmi:{VERSION:<15} Driver Version:{node.driver}", RULE]
    lines += [
        "ID   Name           |PCIe                |%GPU  Mem            ",
        "     Device Type    |Pcie Lane Width     |Temp  MPC Capable    ",
        "                                         |      ECC Mode       ",
        LINE,
    ]
    for one in node.accelerators:
        width, memory = (
            f"{one['pcie_width']}x({one['pcie_width']}x)",
            f"{one['memory_used_mib']}MiB({one['memory_mib']}MiB)",
        )
        lines.append(f"{one['index']:<5}{one['product']:<15}|{'0000' + one['bus_id']:<20}|0%    {memory}")
        lines.append(f"     Physical       |{width:<20}|{one['temperature_celsius']}C   YES            ")
        lines += ["                                         |      N/A            ", LINE]
    lines += [*lines[-1:-1], RULE, "Processes:", "ID   PID       Process name                         GPU Memory", LINE]
    rows = [
        f"{one['index']:<5}{pid:<10}{name}" for one in node.accelerators for pid, name in node.processes(one["index"])
    ]
    print("\n".join([*lines, *(rows or ["   No running processes found"]), RULE]))
    return 0
