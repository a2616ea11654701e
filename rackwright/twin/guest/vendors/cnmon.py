"""cnmon of a twin node: the table, and ``info``.

Shapes: PaddlePaddle's documentation and public records of CNMON v5.10 with MLU370-X8 (table, 2023 to 2024) and of ``cnmon info``
(CNMON v5.10.22, MLU370-X4).
"""

from __future__ import annotations

import sys

from .node import Accelerator, VendorNode, read, reading

TOP = "+" + "-" * 78 + "+"
LINE = "+-------------------------------+----------------------+-----------------------+"


def main() -> int:
    """Entry point."""
    words, node = sys.argv[1:], read("cambricon")
    if not node.loaded:
        print("ERROR: There is no MLU device or the driver is not loaded", file=sys.stderr)
        return 1
    print(info(node) if words[:1] == ["info"] else _table(node))
    return 0


def info(node: VendorNode) -> str:
    """A block of lines for each card."""
    return "\n".join(_block(card, node) for card in node.accelerators)


def _table(node: VendorNode) -> str:
    release = f"v{node.driver}"
    lines = [TOP, f"| CNMON {release:<24}{'Driver ' + release:>46} |", LINE]
    lines.append("| Card  VF  Name       Firmware |               Bus-Id | Util        Ecc-Error |")
    lines.append("| Fan   Temp      Pwr:Usage/Cap |         Memory-Usage | Mode     Compute-Mode |")
    lines.append("|===============================+======================+=======================|")
    for card in node.accelerators:
        memory = f"{card['memory_used_mib']} MiB/ {card['memory_mib']} MiB"
        power = f"{card['power_watts']} W/ {card['power_limit_watts']} W"
        lines.append(
            f"| {card['index']:<5} /   {card['product']:<10} {'v1.5.0':>8} | {card['bus_id'].upper():>20} | 0% {card['ecc_uncorrected']:>18} |"
        )
        lines.append(f"|  0%   {card['temperature_celsius']}C {power:>19} | {memory:>20} | FULL          Default |")
        lines.append(LINE)
    lines += [
        "",
        TOP,
        "| Processes:".ljust(79) + "|",
        "|  Card  MI  PID     Command Line                             MLU Memory Usage |",
    ]
    lines.append("|" + "=" * 78 + "|")
    rows = [f"| {card['index']:>5}  {'/':>2}  {pid:<7} {name}".ljust(79) + "|" for card in node.accelerators for pid, name in node.processes(card["index"])]  # fmt: skip
    return "\n".join([*lines, *(rows or ["|  No MLU processes".ljust(79) + "|"]), TOP])


def _block(card: Accelerator, node: VendorNode) -> str:
    health = card["health"] if "health" in card else "Good" if card["healthy"] else "Bad"
    return "\n".join(
        [
            f"================CNMON v{node.driver}================",
            f"Card {card['index']}",
            f"    Product Name                   : {card['product']}",
            f"    UUID                           : {card['uuid']}",
            f"    Driver                         : v{node.driver}",
            "    Health State                   :",
            *([] if health is None else [f"        Device                     : {health}"]),
            "        Driver                     : Running",
            "    Physical Memory Usage          :",
            f"        Total                      : {card['memory_mib']} MiB",
            f"        Used                       : {card['memory_used_mib']} MiB",
            "    Power                          :",
            f"        Usage                      : {reading(card['power_watts'], form='{} W')}",
            f"        Cap                        : {reading(card['power_limit_watts'], form='{} W')}",
        ]
    )
