"""hl-smi of a twin node: the table, ``-L``, and ``-Q fields -f csv[,noheader][,nounits]``.

Shapes: lablup/all-smi, src/device/hlsmi (2026-08-08) and HabanaAI/Setup_and_Install, intel_gaudi_health_screen (2025-09-09) for the query;
the table as hl-smi 1.20 to 1.23 prints it (public records).
"""

from __future__ import annotations

import sys

from .node import Accelerator, Node, asked, option

LINE = "|-------------------------------+----------------------+----------------------+"
EDGE = "+-----------------------------------------------------------------------------+"


def main() -> int:
    """Entry point."""
    words, node = sys.argv[1:], Node("intel")
    if not node.loaded:
        print("No AIPs found, or the driver is not loaded", file=sys.stderr)
        return 1
    fields = option(words, "-Q", "--query-aip")
    if fields:
        return _query(node, fields.split(","), option(words, "-f", "--format").split(","))
    print(_details(node) if asked(words, "-L", "-q") else _table(node))
    return 0


def _query(node: Node, fields: list[str], form: list[str]) -> int:
    units = {"memory.total": "MiB", "memory.used": "MiB", "memory.free": "MiB", "power.draw": "W", "power.max": "W", "temperature.aip": "C", "utilization.aip": "%"}  # fmt: skip
    unknown = [field for field in fields if field not in _row(_EMPTY, node)]
    if unknown:
        print(f"Invalid field: {unknown[0]}", file=sys.stderr)
        return 1
    if "noheader" not in form:
        print(", ".join(f"{field} [{units[field]}]" if field in units else field for field in fields))
    for one in node.accelerators:
        row = _row(one, node)
        bare = "nounits" in form
        print(
            ", ".join(
                str(row[field]) if bare or field not in units else f"{row[field]} {units[field]}" for field in fields
            )
        )
    return 0


def _row(one: Accelerator, node: Node) -> dict[str, object]:
    return {
        "index": one["index"],
        "module_id": one["index"],
        "uuid": one["uuid"],
        "name": one["product"],
        "serial": one["serial"],
        "bus_id": one["bus_id"],
        "driver_version": node.driver,
        "memory.total": one["memory_mib"],
        "memory.used": one["memory_used_mib"],
        "memory.free": one["memory_mib"] - one["memory_used_mib"],
        "power.draw": one["power_watts"],
        "power.max": one["power_limit_watts"],
        "temperature.aip": one["temperature_celsius"],
        "utilization.aip": 0,
    }


def _table(node: Node) -> str:
    lines = [EDGE, f"| HL-SMI Version:{_tool(node):>50}          |", f"| Driver Version:{node.driver:>50}          |"]
    lines += [f"| Nic Driver Version:{node.driver:>46}          |", LINE]
    lines.append("| AIP  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncor-Events|")
    lines.append("| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | AIP-Util  Compute M. |")
    lines.append(LINE.replace("-", "="))
    for one in node.accelerators:
        memory = f"{one['memory_used_mib']}MiB / {one['memory_mib']}MiB"
        power = f"{one['power_watts']}W / {one['power_limit_watts']:>4}W"
        lines.append(
            f"| {one['index']:>3}  {one['product']:<20} N/A  | {one['bus_id']}     N/A | {one['ecc_uncorrected']:>19}  |"
        )
        lines.append(
            f"| N/A   {one['temperature_celsius']}C   N/A {power:>15} | {memory:>20} | {'0%            0% ':>20} |"
        )
        lines.append(LINE)
    return "\n".join([*lines[:-1], EDGE])


def _details(node: Node) -> str:
    blocks = [
        f"[{one['index']}] AIP ({one['bus_id']})\n\tProduct Name                     : {one['product']}\n"
        f"\tSerial Number                    : {one['serial']}\n\tUUID                             : {one['uuid']}\n"
        f"\tFirmware [SPI] Version           : Preboot version hl-gaudi3-{one['firmware']}"
        for one in node.accelerators
    ]
    return "\n".join([f"Driver Version                   : {node.driver}", *blocks])


def _tool(node: Node) -> str:
    return f"hl-{node.driver.partition('-')[0]}-fw-61.4.2.1"


_EMPTY: Accelerator = {
    "index": 0, "uuid": "", "product": "", "serial": "", "bus_id": "", "memory_mib": 0, "memory_used_mib": 0, "power_watts": 0,
    "power_limit_watts": 0, "temperature_celsius": 0,
}  # fmt: skip
