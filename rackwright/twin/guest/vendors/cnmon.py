"""cnmon of a twin node: the table, and ``info``.

Shapes: PaddlePaddle's documentation and public records of CNMON v5.10 with MLU370-X8 (table, 2023 to 2024) and of ``cnmon info``
(CNMON v5.10.22, MLU370-X4).
"""

from __future__ import annotations

import sys

from .node import Accelerator, Node

TOP = "+" + "-" * 78 + "+"
LINE = "+-------------------------------+----------------------+-----------------------+"


def main() -> int:
    """Entry point."""
    words, node = sys.argv[1:], Node("cambricon")
    if not node.loaded:
        print("ERROR: There is no MLU device or the driver is not loaded", file=sys.stderr)
        return 1
    print("\n".join(_block(one, node) for one in node.accelerators) if words[:1] == ["info"] else _table(node))
    return 0


def _table(node: Node) -> str:
    release = f"v{node.driver}"
    lines = [TOP, f"| CNMON {release:<24}{'Driver ' + release:>46} |", LINE]
    lines.append("| Card  VF  Name       Firmware |               Bus-Id | Util        Ecc-Error |")
    lines.append("| Fan   Temp      Pwr:Usage/Cap |         Memory-Usage | Mode     Compute-Mode |")
    lines.append("|===============================+======================+=======================|")
    for one in node.accelerators:
        memory = f"{one['memory_used_mib']} MiB/ {one['memory_mib']} MiB"
        power = f"{one['power_watts']} W/ {one['power_limit_watts']} W"
        lines.append(
            f"| {one['index']:<5} /   {one['product']:<10} {'v1.5.0':>8} | {one['bus_id'].upper():>20} | 0% {one['ecc_uncorrected']:>18} |"
        )
        lines.append(f"|  0%   {one['temperature_celsius']}C {power:>19} | {memory:>20} | FULL          Default |")
        lines.append(LINE)
    lines += [
        "",
        TOP,
        "| Processes:".ljust(79) + "|",
        "|  Card  MI  PID     Command Line                             MLU Memory Usage |",
    ]
    lines.append("|" + "=" * 78 + "|")
    rows = [f"| {one['index']:>5}  {'/':>2}  {pid:<7} {name}".ljust(79) + "|" for one in node.accelerators for pid, name in node.processes(one["index"])]  # fmt: skip
    return "\n".join([*lines, *(rows or ["|  No MLU processes".ljust(79) + "|"]), TOP])


def _block(one: Accelerator, node: Node) -> str:
    return "\n".join(
        [
            f"================CNMON v{node.driver}================",
            f"Card {one['index']}",
            f"    Product Name                   : {one['product']}",
            f"    UUID                           : {one['uuid']}",
            f"    Driver                         : v{node.driver}",
            "    Health State                   :",
            f"        Device                     : {'Good' if one['healthy'] else 'Bad'}",
            "        Driver                     : Running",
            "    Physical Memory Usage          :",
            f"        Total                      : {one['memory_mib']} MiB",
            f"        Used                       : {one['memory_used_mib']} MiB",
            "    Power                          :",
            f"        Usage                      : {one['power_watts']} W",
            f"        Cap                        : {one['power_limit_watts']} W",
        ]
    )
