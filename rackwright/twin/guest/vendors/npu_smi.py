"""npu-smi of a twin node: ``info``, and of it -l, -m, -t board, -t health, -t usages, -t ecc.

Shapes: the table of npu-smi 25.3.rc1 with 910B3 (public records, 2025), -m of Atlas 800 (EDOC1100388860), -t health and -t board as
mind-cluster's ascend-faultdiag records them (kg_parse/npu_info_before.txt), -t ecc as the Ascend command reference shows it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from .node import Accelerator, VendorNode, option, read, reading

INFO = "/usr/local/Ascend/driver/version.info"
RULE = "+---------------------------+---------------+----------------------------------------------------+"
DOUBLE = RULE.replace("-", "=")
TOP = "+" + "-" * (len(RULE) - 2) + "+"
NO_DRIVER = "DrvMngGetConsoleLogLevel failed. (g_conLogLevel=3)\ndcmi module initialize failed. ret is -8005"


def main() -> int:
    """Entry point."""
    words, node = sys.argv[1:], read("huawei")
    if words[:1] == ["-v"]:
        print(f"npu-smi version: {_release()}")
        return 0
    if words[:1] != ["info"]:
        print("Usage: npu-smi info [-l|-m|-t type -i card]", file=sys.stderr)
        return 1
    if not node.loaded:
        print(NO_DRIVER)
        return 1
    kind = option(words, "-t")
    if "-l" in words or "-m" in words:
        print(_mapping(node) if "-m" in words else _cards(node))
        return 0
    if kind:
        return _typed(kind, node, option(words, "-i"))
    print(table(node, _release()))
    return 0


def _typed(kind: str, node: VendorNode, card: str) -> int:
    if kind not in _TYPES:
        print(f"Error parameter of -t: {kind}", file=sys.stderr)
        return 1
    cards = [npu for npu in node.accelerators if str(npu["index"]) == card]
    if not cards:
        print("Error parameter of -i", file=sys.stderr)
        return 1
    print(typed(kind, cards[0], node), end="")
    return 0


def typed(kind: str, npu: Accelerator, node: VendorNode) -> str:
    """The lines of ``info -t kind`` for one card."""
    width = 40 if kind == "ecc" else 31
    return "".join(f"\t{name:<{width}}: {reading(value, 'NA')}\n" for name, value in _TYPES[kind](npu, node).items())


def _board(npu: Accelerator, node: VendorNode) -> dict[str, object]:
    return {
        "NPU ID": npu["index"],
        "Product Name": "NA",
        "Serial Number": npu["serial"],
        "Software Version": node.driver,
        "Firmware Version": npu["firmware"],
        "Board ID": "0x3d",
        "PCIe Bus Info": npu["bus_id"].upper(),
        "Chip Count": 1,
    }


def _health(npu: Accelerator, node: VendorNode) -> dict[str, object]:
    del node
    return {"Health Status": "OK" if npu["healthy"] else "Alarm"}


def _usages(npu: Accelerator, node: VendorNode) -> dict[str, object]:
    del node
    return {
        "NPU ID": npu["index"],
        "HBM Capacity(MB)": npu["memory_mib"],
        "HBM Usage Rate(%)": 0,
        "Aicore Usage Rate(%)": 0,
    }


def _ecc(npu: Accelerator, node: VendorNode) -> dict[str, object]:
    del node
    corrected, uncorrected, pages = npu["ecc_corrected"], npu["ecc_uncorrected"], npu.get("retired_pages", 0)
    corrected_life = npu.get("ecc_corrected_life", corrected)
    return {
        "NPU ID": npu["index"],
        "HBM Single Bit Error Count": corrected,
        "HBM Double Bit Error Count": uncorrected,
        "HBM Single Bit Aggregate Total Err Cnt": corrected_life,
        "HBM Double Bit Aggregate Total Err Cnt": npu.get("ecc_uncorrected_life", uncorrected),
        "HBM Single Bit Isolated Pages Count": None if pages is None else 0,
        "HBM Double Bit Isolated Pages Count": pages,
    }


def _cards(node: VendorNode) -> str:
    blocks = [f"\tNPU ID                         : {npu['index']}\n\tChip Count                     : 1\n" for npu in node.accelerators]  # fmt: skip
    return "\n".join([f"\tTotal Count                    : {len(node.accelerators)}\n", *blocks])


def _mapping(node: VendorNode) -> str:
    head = "".join(f"\t{name:<31}" for name in ("NPU ID", "Chip ID", "Chip Logic ID", "Chip Name"))
    rows = [f"\t{npu['index']:<31}\t{0:<31}\t{npu['index']:<31}\tAscend {npu['product']}" for npu in node.accelerators]
    return "\n".join([head, *rows])


def table(node: VendorNode, release: str) -> str:
    """The table of ``npu-smi info``; `release` is that of the tool."""
    lines = [TOP, f"| npu-smi {release:<24} Version: {release}".ljust(len(TOP) - 1) + "|", RULE]
    lines.append("| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|")
    lines.append("| Chip                      | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |")
    lines.append(DOUBLE)
    for npu in node.accelerators:
        health = npu.get("health") or ("OK" if npu["healthy"] else "Alarm")
        power, bus = reading(npu["power_watts"], "NA", "{:.1f}"), npu["bus_id"].upper()
        heat = reading(npu["temperature_celsius"], "NA")
        memory = f"{npu['memory_used_mib']:<5}/ {npu['memory_mib']}"
        lines.append(
            f"| {npu['index']:<5} {npu['product']:<19} | {health:<13} | {power:<11} {heat:<17} 0    / 0             |"
        )
        lines.append(f"| {0:<25} | {bus:<13} | {0:<11} {'0    / 0':<17} {memory:<21}|")
        lines.append(DOUBLE)
    lines += [
        RULE,
        "| NPU     Chip              | Process id    | Process name             | Process memory(MB)      |",
        DOUBLE,
    ]
    for npu in node.accelerators:
        rows = [f"| {npu['index']:<7} {0:<17} | {pid:<13} | {name:<24} | 0                       |" for pid, name in node.processes(npu["index"])]  # fmt: skip
        lines += [*(rows or [f"| No running processes found in NPU {npu['index']}".ljust(len(TOP) - 1) + "|"]), DOUBLE]
    return "\n".join(lines)


def _release() -> str:
    """The tool belongs to the driver package on the disk."""
    try:
        with open(INFO, encoding="utf-8") as file:
            return next((line.strip().partition("=")[2] for line in file if line.startswith("Version=")), "unknown")
    except OSError:
        return "unknown"


_TYPES: dict[str, Callable[[Accelerator, VendorNode], dict[str, object]]] = {
    "board": _board,
    "health": _health,
    "usages": _usages,
    "ecc": _ecc,
}
