"""Every accelerator of an Ascend node out of npu-smi: the table, then board and ECC counts of each card.

Shapes: the table of npu-smi 24.1 to 25.5 (gpustack/gpustack tests/detectors/npu_smi/data; public records of 910B and of Atlas A3), -t board
as Ascend/mind-cluster records it, -t ecc as the Ascend command reference shows it. Devices are the chips. Their number is the one that the
table gives beside the chip (Phy-ID, Device), else that of the card, which is that of the slot and no index: what is missing leaves a gap.
A card of several chips has one serial number and tells its power once, which is shared out evenly here; its ECC counts end with the Chip ID.
"""

import re
from typing import Any

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.parsing import figures
from rackwright.model.evidence.accelerator import Accelerators, Device

SCRIPT = (
    "echo '== table'; npu-smi info || exit $?; "
    "for card in $(npu-smi info -l | sed -n 's/^[[:space:]]*NPU ID *: *//p'); do "
    'echo "== card $card"; npu-smi info -t board -i "$card"; npu-smi info -t ecc -i "$card"; done'
)
SECTION = re.compile(r"^== (table|card \d+)$", re.MULTILINE)
FIRST = re.compile(r"^\|\s*(\d+)\s+(\S+)\s*\|\s*([A-Za-z][\w/]*)\s*\|\s*(\S+)\s+(\S+)\s.*\|$")
SECOND = re.compile(r"^\|\s*(\d+)\s*(?:(\d+)\s*)?\|\s*([0-9A-Fa-f]+:[0-9A-Fa-f:.]+)\s*\|(.*)\|$")
MEMORY = re.compile(r"\d+\s*/\s*(\d+)\s*$")
PROCESS = re.compile(r"^\|\s*(\d+)\s+(\d+)\s*\|\s*(\d+)\s*\|\s*\S.*\|\s*\d*\s*\|$")
VERSION = re.compile(r"Version:\s*(\S+)")
PAIR = re.compile(r"^\s*([A-Z][\w ()-]*?)\s*:\s*(.*?)\s*$")
MIB = 2**20
MEMORIES = ("HBM ", "DDR ")
"""How the names of counters of errors begin: those of the memory of the NPU, where a tool tells both; 310P has DDR alone."""
Row = dict[str, Any]
Chip = tuple[int, int]
"""Number of the card, and of the chip on it."""


def parse(output: str) -> Accelerators:
    """Sections ``== table`` and ``== card N``."""
    parts = SECTION.split(output)
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    if "table" not in sections:
        raise ParseError(1, output, "a section == table")
    chips = _table(sections["table"])
    boards = {int(name.split()[1]): text for name, text in sections.items() if name != "table"}
    drivers = [pairs["Software Version"] for pairs in map(_pairs, boards.values()) if pairs.get("Software Version")]
    version = VERSION.search(sections["table"])
    return Accelerators(
        driver_version=drivers[0] if drivers else version[1] if version else "",
        cuda_driver_version="",
        devices=sorted(
            (_device(place, row, chips, boards.get(place[0], "")) for place, row in chips.items()),
            key=lambda device: device.index,
        ),
    )


def _table(text: str) -> dict[Chip, Row]:
    """Two lines per chip: card, name, health, power, temperature; then chip, bus address and memory."""
    chips: dict[Chip, Row] = {}
    current: Row | None = None
    for line in text.splitlines():
        if current is not None and (match := SECOND.match(line)):
            card, chip = current["card"], int(match[1])
            number, memory = card if match[2] is None else int(match[2]), MEMORY.search(match[4])
            chips[card, chip] = current | {"number": number, "bus": match[3], "memory": int(memory[1]) if memory else 0}
            current = None
        elif match := FIRST.match(line):
            _must_be_read(current, line)
            power, heat = figures.decimal(match[4]), figures.decimal(match[5])
            current = {
                "card": int(match[1]),
                "name": match[2],
                "health": match[3],
                "power": power,
                "heat": heat,
                "pids": [],
            }
        elif (match := PROCESS.match(line)) and (int(match[1]), int(match[2])) in chips:
            chips[int(match[1]), int(match[2])]["pids"].append(int(match[3]))
    _must_be_read(current, "the end of the table")
    if not chips:
        raise ParseError(1, text, "the table of npu-smi info with at least one card")
    return chips


def _must_be_read(waiting: Row | None, line: str) -> None:
    """Refuse a table in which a chip lacks its second line: it would be missing."""
    if waiting is not None:
        raise ParseError(1, line, f"chip, bus address and memory of card {waiting['card']} of npu-smi info")


def _pairs(text: str) -> dict[str, str]:
    """Every field of a card."""
    return {match[1]: match[2] for match in filter(None, map(PAIR.match, text.splitlines()))}


def _counts(text: str) -> dict[int, dict[str, str]]:
    """Counters of errors by chip: a card of several ends those of each with its Chip ID."""
    chips: dict[int, dict[str, str]] = {}
    counts: dict[str, str] = {}
    for match in filter(None, map(PAIR.match, text.splitlines())):
        if match[1].startswith(MEMORIES):
            counts[match[1]] = match[2]
        elif match[1] == "Chip ID" and counts:
            chips[int(match[2])], counts = counts, {}
    return chips or {0: counts}


def _device(place: Chip, row: Row, chips: dict[Chip, Row], text: str) -> Device:
    board, counts = _pairs(text), _counts(text).get(place[1], {})
    serial = board.get("Serial Number", "")
    memory = next((kind for kind in MEMORIES if any(name.startswith(kind) for name in counts)), "")
    siblings = [chip for (card, _), chip in chips.items() if card == place[0]]
    pages = [_count(counts, f"{memory}{kind} Bit Isolated Pages Count") for kind in ("Single", "Double")]
    return Device.bare(
        index=row["number"],
        uuid=f"NPU-{row['bus'].lower()}" if not serial else serial if len(siblings) == 1 else f"{serial}-{place[1]}",
        serial=serial,
        product_name=row["name"],
        pci_bus_id=f"0000{row['bus'].lower()}",
        vbios=board.get("Firmware Version", ""),
        memory_total_bytes=row["memory"] * MIB,
        ecc_corrected_volatile=_count(counts, f"{memory}Single Bit Error Count"),
        ecc_uncorrected_volatile=_count(counts, f"{memory}Double Bit Error Count"),
        ecc_uncorrected_aggregate=_count(counts, f"{memory}Double Bit Aggregate Total Err Cnt"),
        ecc_corrected_dram=_count(counts, f"{memory}Single Bit Aggregate Total Err Cnt"),
        retired_pages=None if None in pages else sum(page or 0 for page in pages),
        temperature_celsius=None if row["heat"] is None else round(row["heat"]),
        power_watts=_power(row, siblings),
        processes=row["pids"],
        health=row["health"],
    )


def _power(row: Row, siblings: list[Row]) -> float | None:
    """Of one chip; where only the first one of a card tells any, its share."""
    drawn: list[float] = [chip["power"] for chip in siblings if chip["power"] is not None]
    power: float | None = row["power"]
    return drawn[0] / len(siblings) if len(drawn) == 1 else power


def _count(counts: dict[str, str], name: str) -> int | None:
    return figures.integer(counts.get(name, ""))


COLLECTOR = Collector(
    produces=Accelerators,
    parse=parse,
    as_root=True,
    seconds=60,
    roles=("accelerator",),
    vendors=("huawei",),
    command=("sh", "-c", SCRIPT),
)
