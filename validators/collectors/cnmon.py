"""Every accelerator of a Cambricon node out of `cnmon info`: blocks of ``name : value`` lines, one block per card.

Shape: public records of CNMON v5.10.22 with MLU370-X4. Deeper lines belong to the name without a value above them.
"""

import re

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.accelerator import Accelerators, Device

CARD = re.compile(r"^Card (\d+)\s*$")
PAIR = re.compile(r"^(\s+)(\S.*?)\s*:\s*(.*?)\s*$")
AMOUNT = re.compile(r"(\d+) (?:MiB|W)")
MIB = 2**20


def parse(output: str) -> Accelerators:
    """Blocks that begin with ``Card N``."""
    cards: dict[int, dict[str, str]] = {}
    current: dict[str, str] = {}
    group = ""
    for line in output.splitlines():
        if match := CARD.match(line):
            current = cards.setdefault(int(match[1]), {})
        elif match := PAIR.match(line):
            outer = len(match[1]) <= len("    ")
            group = match[2] if outer else group
            current[match[2] if outer else f"{group}/{match[2]}"] = match[3]
    if not cards:
        raise ParseError(1, output, "Card N of cnmon info")
    first = next(iter(cards.values()))
    return Accelerators(
        driver_version=first.get("Driver", "").removeprefix("v"),
        cuda_driver_version="",
        devices=[_device(index, card) for index, card in sorted(cards.items())],
    )


def _device(index: int, card: dict[str, str]) -> Device:
    missing = [name for name in ("Product Name", "UUID", "Physical Memory Usage/Total") if name not in card]
    if missing:
        raise ParseError(1, f"Card {index}", missing[0])
    return Device.bare(
        index=index,
        product_name=card["Product Name"],
        uuid=card["UUID"],
        pci_bus_id="",
        memory_total_bytes=(_amount(card["Physical Memory Usage/Total"]) or 0) * MIB,
        health=card.get("Health State/Device"),
        power_watts=_watts(card.get("Power/Usage", "")),
        power_limit_watts=_watts(card.get("Power/Cap", "")),
    )


def _amount(text: str) -> int | None:
    match = AMOUNT.match(text)
    return int(match[1]) if match else None


def _watts(text: str) -> float | None:
    amount = _amount(text)
    return None if amount is None else float(amount)


COLLECTOR = Collector(
    produces=Accelerators,
    parse=parse,
    seconds=60,
    roles=("accelerator",),
    vendors=("cambricon",),
    command=("cnmon", "info"),
)
