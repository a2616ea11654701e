"""Copies between host and NPUs of an Ascend node and among them: ``ascend-dmi --bw`` with h2d, d2h and p2p, one pair after the other.

Shape: MindCluster toolbox 5.0 to 7.1 (recorded: 7.0): a table with ``Bandwidth(GB/s)``; who is copied to whom stands in our own line before it. Numbers of records
are those of the cards, as npu-smi shows them.
"""

from typing import get_args

from rackwright.collect.collector import Collector, ParseError
from rackwright.collect.loadlogs import ascend, sections
from rackwright.collect.loadlogs.sections import Section
from rackwright.model.evidence.load import Copies, Copy, Direction

SPEED = "Bandwidth(GB/s)"


def parse(output: str) -> Copies:
    """Every pair."""
    parts = sections.read_sections(output, ("dmi", "board", "copy"), ("dmi", "board", "copy"))
    cards = {number: identity["index"] for number, identity in ascend.identities(parts["board"]).items()}
    return Copies(
        tool=ascend.version(parts["dmi"][0]),
        driver_version=ascend.driver(parts["board"]),
        copies=[_copy(identity, cards) for identity in parts["copy"]],
    )


def _copy(section: Section, cards: dict[int, int]) -> Copy:
    direction = section.word("direction")
    ends = [section.integer("device"), *([section.integer("target")] if direction == "device_to_device" else [])]
    if direction not in get_args(Direction) or not set(ends) <= set(cards):
        raise ParseError(section.line, f"{section.facts}", "a direction, and NPUs that npu-smi maps")
    first = cards[ends[0]]
    source = None if direction == "host_to_device" else first
    target = first if direction == "host_to_device" else cards[ends[1]] if len(ends) > 1 else None
    speed = sections.table_cell(section, SPEED)
    return Copy(direction=direction, source=source, target=target, gbytes_per_s=speed, engine="copy_engine")  # type: ignore[arg-type]


COLLECTOR = Collector(
    produces=Copies,
    parse=parse,
    seconds=1200,
    roles=("accelerator",),
    command=("rackwright-burn", "ascend-copy"),
    vendors=("huawei",),
    load=True,
    place=1,
)
