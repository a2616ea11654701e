"""npu-smi of a twin node: ``info``, and of it -l, -m, -t board, -t health, -t usages, -t ecc.

Shapes: the table of npu-smi 25.3.rc1 with 910B3 (public records, 2025), -m of Atlas 800 (EDOC1100388860), -t health and -t board as
mind-cluster's ascend-faultdiag records them (kg_parse/npu_info_before.txt), -t ecc as the Ascend command reference shows it.
Cards of two chips (Atlas A3): the table and -m of npu-smi 25.2.0 to 25.5.1 in public records (vLLM and xLLM issues and parsers, 2025 and 2026): a column
Phy-ID, a bus address, memory and temperature per chip, power with the first one; -t ecc ends what it tells of each chip with its Chip ID.
310P: a wider table with one column of memory, a column Device, and no power (gpustack/gpustack tests/detectors/npu_smi/data and public records of
22.0 to 24.1); its counters are those of DDR.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from .node import Accelerator, VendorNode, option, read, reading

INFO = "/usr/local/Ascend/driver/version.info"
RULE = "+---------------------------+---------------+----------------------------------------------------+"
_Fields = Callable[[list[Accelerator], VendorNode, "int | None"], dict[str, object]]
NO_DRIVER = "DrvMngGetConsoleLogLevel failed. (g_conLogLevel=3)\ndcmi module initialize failed. ret is -8005"


def main() -> int:
    """Entry point."""
    words, node = sys.argv[1:], read("huawei")
    if words[:1] == ["-v"]:
        print(f"npu-smi version: {_release()}")
        return 0
    if words[:1] != ["info"]:
        print("Usage: npu-smi info [-l|-m|-t type -i card [-c chip]]", file=sys.stderr)
        return 1
    if not node.loaded:
        print(NO_DRIVER)
        return 1
    kind = option(words, "-t")
    if "-l" in words or "-m" in words:
        print(_mapping(node) if "-m" in words else _cards(node))
        return 0
    if kind:
        return _print_typed(kind, node, option(words, "-i"), option(words, "-c"))
    print(table(node, _release()))
    return 0


def _print_typed(kind: str, node: VendorNode, card: str, chip: str) -> int:
    if kind not in _TYPES:
        print(f"Error parameter of -t: {kind}", file=sys.stderr)
        return 1
    if not any(str(npu["card"]) == card and chip in ("", str(npu["chip"])) for npu in node.accelerators):
        print("Error parameter of -i", file=sys.stderr)
        return 1
    print(typed(kind, int(card), node, int(chip) if chip else None), end="")
    return 0


def typed(kind: str, card: int, node: VendorNode, chip: int | None = None) -> str:
    """The lines of ``info -t kind`` for one card, or for one chip of it. A card of several tells what is theirs chip by chip."""
    chips = [npu for npu in node.accelerators if npu["card"] == card and chip in (None, npu["chip"])]
    each = _TYPES[kind][1]
    fields = _TYPES[kind][0](chips, node, chip)
    if each is None:
        return _lines(kind, fields)
    if chip is not None or chips[0]["chips"] == 1:
        return _lines(kind, fields | each(chips[0]))
    blocks = [_lines(kind, each(npu) | {"Chip ID": npu["chip"]}) for npu in chips]
    return "\n".join([_lines(kind, fields | {"Chip Count": len(chips)}), *blocks])


def _lines(kind: str, fields: dict[str, object]) -> str:
    width = 40 if kind == "ecc" else 31
    return "".join(f"\t{name:<{width}}: {reading(value, 'NA')}\n" for name, value in fields.items())


def _board(chips: list[Accelerator], node: VendorNode, chip: int | None) -> dict[str, object]:
    npu = chips[0]
    if chip is not None:
        place = {"PCIe Bus Info": npu["bus_id"].upper(), "Firmware Version": npu["firmware"]}
        return {"NPU ID": npu["card"], "Chip ID": chip, "Chip Type": "Ascend", "Chip Name": npu["product"], **place}
    fields = {
        "NPU ID": npu["card"],
        "Product Name": "NA",
        "Serial Number": npu["serial"],
        "Software Version": node.driver,
        "Firmware Version": npu["firmware"],
        "Board ID": "0x3d",
    }
    return fields | ({"PCIe Bus Info": npu["bus_id"].upper()} if npu["chips"] == 1 else {}) | {"Chip Count": len(chips)}


def _health(chips: list[Accelerator], node: VendorNode, chip: int | None) -> dict[str, object]:
    del node, chip
    return {"Health Status": "OK" if all(npu["healthy"] for npu in chips) else "Alarm"}


def _card(chips: list[Accelerator], node: VendorNode, chip: int | None) -> dict[str, object]:
    del node, chip
    return {"NPU ID": chips[0]["card"]}


def _usages(npu: Accelerator) -> dict[str, object]:
    return {"HBM Capacity(MB)": npu["memory_mib"], "HBM Usage Rate(%)": 0, "Aicore Usage Rate(%)": 0}


def _ecc(npu: Accelerator) -> dict[str, object]:
    memory = "DDR" if npu["product"].startswith("310P") else "HBM"
    corrected, uncorrected, pages = npu["ecc_corrected"], npu["ecc_uncorrected"], npu.get("retired_pages", 0)
    corrected_life = npu.get("ecc_corrected_life", corrected)
    return {
        f"{memory} Single Bit Error Count": corrected,
        f"{memory} Double Bit Error Count": uncorrected,
        f"{memory} Single Bit Aggregate Total Err Cnt": corrected_life,
        f"{memory} Double Bit Aggregate Total Err Cnt": npu.get("ecc_uncorrected_life", uncorrected),
        f"{memory} Single Bit Isolated Pages Count": None if pages is None else 0,
        f"{memory} Double Bit Isolated Pages Count": pages,
    }


def _cards(node: VendorNode) -> str:
    counts = Counter(npu["card"] for npu in node.accelerators)
    blocks = [f"\tNPU ID                         : {card}\n\tChip Count                     : {count}\n" for card, count in counts.items()]  # fmt: skip
    return "\n".join([f"\tTotal Count                    : {len(counts)}\n", *blocks])


def _mapping(node: VendorNode) -> str:
    """With the physical number where cards have several chips."""
    several = _has_several_chips(node)
    names = ["NPU ID", "Chip ID", "Chip Logic ID", *(["Chip Phy-ID"] if several else []), "Chip Name"]
    rows = [
        [
            npu["card"],
            npu["chip"],
            logic,
            *([npu["index"]] if several else []),
            f"{'' if several else 'Ascend '}{npu['product']}",
        ]
        for logic, npu in enumerate(node.accelerators)
    ]
    return "\n".join("".join(f"\t{cell:<31}" for cell in row).rstrip() for row in (names, *rows))


def _has_several_chips(node: VendorNode) -> bool:
    return any(npu["chips"] > 1 for npu in node.accelerators)


def table(node: VendorNode, release: str) -> str:
    """The table of ``npu-smi info``; `release` is that of the tool."""
    form = _form(node)
    top = "+" + "-" * (len(form.rule) - 2) + "+"
    double = form.rule.replace("-", "=")
    lines = [
        top,
        f"| npu-smi {release:<24} Version: {release}".ljust(len(top) - 1) + "|",
        form.rule,
        *form.heads,
        double,
    ]
    for position, npu in enumerate(node.accelerators):
        following = node.accelerators[position + 1 : position + 2]
        lines += [
            *_rows(npu, node, form),
            top if any(sibling["card"] == npu["card"] for sibling in following) else double,
        ]
    process = ["NPU     Chip", "Process id", "Process name", "Process memory(MB)"]
    lines += [form.rule, f"| {process[0]:<17} | {process[1]:<13} | {process[2]:<24} | {process[3]:<23} |", double]
    for npu in node.accelerators:
        rows = [f"| {npu['card']:<7} {npu['chip']:<17} | {pid:<13} | {name:<24} | 0                       |" for pid, name in node.processes(npu["index"])]  # fmt: skip
        lines += [*(rows or [f"| No running processes found in NPU {npu['card']}".ljust(len(top) - 1) + "|"]), double]
    return "\n".join(lines)


class _Form(NamedTuple):
    """The table of one series of chips."""

    rule: str
    heads: tuple[str, str]
    hbm: bool
    """Whether memory is shown in a column of its own."""


def _form(node: VendorNode) -> _Form:
    name = "NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)"
    if any(npu["product"].startswith("310P") for npu in node.accelerators):
        heads = (
            "| NPU     Name                  | Health          | Power(W)     Temp(C)           Hugepages-Usage(page) |",
            "| Chip    Device                | Bus-Id          | AICore(%)    Memory-Usage(MB)                        |",
        )
        return _Form(
            "+-------------------------------+-----------------+------------------------------------------------------+",
            heads,
            hbm=False,
        )
    chip = f"Chip  {'Phy-ID' if _has_several_chips(node) else '':<20}| Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        "
    return _Form(RULE, (f"| {name}|", f"| {chip}|"), hbm=True)


def _rows(npu: Accelerator, node: VendorNode, form: _Form) -> list[str]:
    """The two lines of a chip. A card tells the power of all its chips with the first one; that of 310P is not reported."""
    health = npu.get("health") or ("OK" if npu["healthy"] else "Alarm")
    card = [sibling for sibling in node.accelerators if sibling["card"] == npu["card"]]
    drawn = [sibling["power_watts"] for sibling in card if sibling["power_watts"] is not None]
    power = "-" if npu is not card[0] else reading(sum(drawn) if drawn else None, "NA", "{:.1f}")
    heat, bus = reading(npu["temperature_celsius"], "NA"), npu["bus_id"].upper()
    memory = f"{npu['memory_used_mib']:<5}/ {npu['memory_mib']}"
    if not form.hbm:
        return [
            f"| {npu['card']:<7} {npu['product']:<21} | {health:<15} | {'NA':<12} {heat:<17} 0     / 0             |",
            f"| {npu['chip']:<7} {npu['index']:<21} | {bus:<15} | {0:<12} {memory:<40}|",
        ]
    place = f"{npu['chip']:<5} {npu['index'] if npu['chips'] > 1 else '':<19}"
    return [
        f"| {npu['card']:<5} {npu['product']:<19} | {health:<13} | {power:<11} {heat:<17} 0    / 0             |",
        f"| {place} | {bus:<13} | {0:<11} {'0    / 0':<17} {memory:<21}|",
    ]


def _release() -> str:
    """The tool belongs to the driver package on the disk."""
    try:
        with open(INFO, encoding="utf-8") as file:
            return next((line.strip().partition("=")[2] for line in file if line.startswith("Version=")), "unknown")
    except OSError:
        return "unknown"


_TYPES: dict[str, tuple[_Fields, Callable[[Accelerator], dict[str, object]] | None]] = {
    "board": (_board, None),
    "health": (_health, None),
    "usages": (_card, _usages),
    "ecc": (_card, _ecc),
}
"""What the card tells, and what each of its chips does."""
