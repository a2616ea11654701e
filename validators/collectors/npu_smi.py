"""Every accelerator of an Ascend node out of npu-smi: the table, then board and ECC counts of each card.

Shapes: the table of npu-smi 24.1 to 25.3 (gpustack/gpustack tests/detectors/npu_smi/data; public records of 910B), -t board as
Ascend/mind-cluster records it, -t ecc as the Ascend command reference shows it. Cards are known by their NPU number, which is that
of the slot and no index: cards that are missing leave a gap.
"""

import re
from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.accelerator import Accelerators, Device

SCRIPT = (
    "echo '== table'; npu-smi info || exit $?; "
    "for card in $(npu-smi info -l | sed -n 's/^[[:space:]]*NPU ID *: *//p'); do "
    'echo "== card $card"; npu-smi info -t board -i "$card"; npu-smi info -t ecc -i "$card"; done'
)
SECTION = re.compile(r"^== (table|card \d+)$", re.MULTILINE)
FIRST = re.compile(r"^\|\s*(\d+)\s+(\S+)\s*\|\s*(\w+)\s*\|\s*([\d.]+|NA|-)\s+(\d+|NA|-)\s+.*\|$")
SECOND = re.compile(r"^\|\s*\d+\s*(?:\d+\s*)?\|\s*([0-9A-Fa-f:.]+)\s*\|.*?(\d+)\s*/\s*(\d+)\s*\|$")
PROCESS = re.compile(r"^\|\s*(\d+)\s+\d+\s*\|\s*(\d+)\s*\|\s*\S.*\|\s*\d*\s*\|$")
VERSION = re.compile(r"Version:\s*(\S+)")
PAIR = re.compile(r"^\s*([A-Z][\w ()-]*?)\s*:\s*(.*?)\s*$")
MIB = 2**20
MEMORY = "HBM "
"""How the names of counters of errors begin."""
Row = dict[str, Any]


def parse(output: str) -> Accelerators:
    """Sections ``== table`` and ``== card N``."""
    parts = SECTION.split(output)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    if "table" not in sections:
        raise ParseError(1, output, "a section == table")
    cards = _table(sections["table"])
    boards = {int(name.split()[1]): _pairs(text) for name, text in sections.items() if name != "table"}
    drivers = [board["Software Version"] for board in boards.values() if board.get("Software Version")]
    version = VERSION.search(sections["table"])
    return Accelerators(
        driver_version=drivers[0] if drivers else version[1] if version else "",
        cuda_driver_version="",
        devices=[_device(number, card, boards.get(number, {})) for number, card in sorted(cards.items())],
    )


def _table(text: str) -> dict[int, Row]:
    """Two lines per chip: name, health, power, temperature; then bus address and memory. Chips of one card add up."""
    cards: dict[int, Row] = {}
    current: Row | None = None
    for line in text.splitlines():
        if current is not None and (match := SECOND.match(line)):
            current["memory"] += int(match[3])
            current.setdefault("bus", match[1])
            current = None
        elif match := FIRST.match(line):
            power, heat = (None if word in ("NA", "-") else word for word in (match[4], match[5]))
            fresh = {"name": match[2], "health": match[3], "power": power, "heat": heat, "pids": [], "memory": 0}
            current = _with(cards.setdefault(int(match[1]), fresh), fresh)
        elif (match := PROCESS.match(line)) and int(match[1]) in cards:
            cards[int(match[1])]["pids"].append(int(match[2]))
    complete = {number: card for number, card in cards.items() if "bus" in card}
    if not complete:
        raise ParseError(1, text, "the table of npu-smi info with at least one card")
    return complete


def _with(card: Row, chip: Row) -> Row:
    """`card` with a further chip of it: what is wrong with one of them is wrong with the card, and the hottest one counts."""
    words = dict.fromkeys([*card["health"].split(", "), chip["health"]])
    temperatures = [part["heat"] for part in (card, chip) if part["heat"] is not None]
    card.update(health=", ".join(words), heat=max(temperatures, key=int, default=None))
    return card


def _pairs(text: str) -> dict[str, str]:
    """Every field; what the chips of one card count is added up."""
    pairs: dict[str, str] = {}
    for match in filter(None, map(PAIR.match, text.splitlines())):
        name, value = match[1], match[2]
        both = value.isdecimal() and pairs.get(name, "").isdecimal() and name.startswith(MEMORY)
        pairs[name] = str(int(pairs[name]) + int(value)) if both else value
    return pairs


def _device(number: int, card: Row, board: dict[str, str]) -> Device:
    serial = board.get("Serial Number", "")
    pages = [_count(board, f"HBM {kind} Bit Isolated Pages Count") for kind in ("Single", "Double")]
    return Device.bare(
        index=number,
        uuid=serial or f"NPU-{card['bus'].lower()}",
        serial=serial,
        product_name=card["name"],
        pci_bus_id=f"0000{card['bus'].lower()}",
        vbios=board.get("Firmware Version", ""),
        memory_total_bytes=card["memory"] * MIB,
        ecc_corrected_volatile=_count(board, "HBM Single Bit Error Count"),
        ecc_uncorrected_volatile=_count(board, "HBM Double Bit Error Count"),
        ecc_uncorrected_aggregate=_count(board, "HBM Double Bit Aggregate Total Err Cnt"),
        ecc_corrected_dram=_count(board, "HBM Single Bit Aggregate Total Err Cnt"),
        retired_pages=None if None in pages else sum(page or 0 for page in pages),
        temperature_celsius=None if card["heat"] is None else int(card["heat"]),
        power_watts=None if card["power"] is None else float(card["power"]),
        processes=card["pids"],
        health=card["health"],
    )


def _count(board: dict[str, str], name: str) -> int | None:
    value = board.get(name, "")
    return int(value) if value.isdecimal() else None


COLLECTOR = Collector(
    produces=Accelerators,
    parse=parse,
    seconds=60,
    roles=("accelerator",),
    vendors=("huawei",),
    command=("sh", "-c", SCRIPT),
)
