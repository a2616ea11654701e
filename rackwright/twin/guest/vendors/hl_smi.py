"""hl-smi of a twin node: the table, ``-L``, and ``-Q fields -f csv[,noheader][,nounits]``.

Shapes: lablup/all-smi, src/device/hlsmi (2026-08-08) and HabanaAI/Setup_and_Install, intel_gaudi_health_screen (2025-09-09) for the query;
the table as hl-smi 1.20 to 1.23 prints it (public records).
"""

from __future__ import annotations

import sys

from .node import Accelerator, VendorNode, has_option, option, read, reading

LINE = "|-------------------------------+----------------------+----------------------+"
UNITS = {"memory.total": "MiB", "memory.used": "MiB", "memory.free": "MiB", "power.draw": "W", "power.max": "W", "temperature.aip": "C", "utilization.aip": "%"}  # fmt: skip
FIELDS = {"index", "module_id", "uuid", "name", "serial", "bus_id", "driver_version", *UNITS}
EDGE = "+-----------------------------------------------------------------------------+"


def main() -> int:
    """Entry point."""
    words, node = sys.argv[1:], read("intel")
    if not node.loaded:
        print("No AIPs found, or the driver is not loaded", file=sys.stderr)
        return 1
    fields = option(words, "-Q", "--query-aip")
    if fields:
        return _print_query(node, fields.split(","), option(words, "-f", "--format").split(","))
    print(_details(node) if has_option(words, "-L", "-q") else _table(node))
    return 0


def _print_query(node: VendorNode, fields: list[str], form: list[str]) -> int:
    unknown = [field for field in fields if field not in FIELDS]
    if unknown:
        print(f"Invalid field: {unknown[0]}", file=sys.stderr)
        return 1
    print(query(node, fields, form), end="")
    return 0


def query(node: VendorNode, fields: list[str], form: list[str]) -> str:
    """Lines of CSV with the `fields` of each accelerator."""
    lines = []
    if "noheader" not in form:
        lines.append(", ".join(f"{field} [{UNITS[field]}]" if field in UNITS else field for field in fields))
    for aip in node.accelerators:
        row = _row(aip, node)
        bare = "nounits" in form
        lines.append(
            ", ".join(
                reading(row[field], form="{}" if bare or field not in UNITS else f"{{}} {UNITS[field]}")
                for field in fields
            )
        )
    return "".join(f"{line}\n" for line in lines)


def _row(aip: Accelerator, node: VendorNode) -> dict[str, object]:
    return {
        "index": aip["index"],
        "module_id": aip["index"],
        "uuid": aip["uuid"],
        "name": aip["product"],
        "serial": aip["serial"],
        "bus_id": aip["bus_id"],
        "driver_version": node.driver,
        "memory.total": aip["memory_mib"],
        "memory.used": aip["memory_used_mib"],
        "memory.free": aip["memory_mib"] - aip["memory_used_mib"],
        "power.draw": aip["power_watts"],
        "power.max": aip["power_limit_watts"],
        "temperature.aip": aip["temperature_celsius"],
        "utilization.aip": 0,
    }


def _table(node: VendorNode) -> str:
    lines = [EDGE, f"| HL-SMI Version:{_tool(node):>50}          |", f"| Driver Version:{node.driver:>50}          |"]
    lines += [f"| Nic Driver Version:{node.driver:>46}          |", LINE]
    lines.append("| AIP  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncor-Events|")
    lines.append("| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | AIP-Util  Compute M. |")
    lines.append(LINE.replace("-", "="))
    for aip in node.accelerators:
        memory = f"{aip['memory_used_mib']}MiB / {aip['memory_mib']}MiB"
        power = f"{aip['power_watts']}W / {aip['power_limit_watts']:>4}W"
        lines.append(
            f"| {aip['index']:>3}  {aip['product']:<20} N/A  | {aip['bus_id']}     N/A | {aip['ecc_uncorrected']:>19}  |"
        )
        lines.append(
            f"| N/A   {aip['temperature_celsius']}C   N/A {power:>15} | {memory:>20} | {'0%            0% ':>20} |"
        )
        lines.append(LINE)
    return "\n".join([*lines[:-1], EDGE])


def _details(node: VendorNode) -> str:
    blocks = [
        f"[{aip['index']}] AIP ({aip['bus_id']})\n\tProduct Name                     : {aip['product']}\n"
        f"\tSerial Number                    : {aip['serial']}\n\tUUID                             : {aip['uuid']}\n"
        f"\tFirmware [SPI] Version           : Preboot version hl-gaudi3-{aip['firmware']}"
        for aip in node.accelerators
    ]
    return "\n".join([f"Driver Version                   : {node.driver}", *blocks])


def _tool(node: VendorNode) -> str:
    return f"hl-{node.driver.partition('-')[0]}-fw-61.4.2.1"
