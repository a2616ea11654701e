"""The history of parts by serial: what failed, what was done, what passed again."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic_core import from_json

from rackwright.model.base import Record
from rackwright.model.times import parse_time

Action = Literal["reset", "reboot", "reseat", "flash", "coolant", "move", "replace", "clear"]
"""What was done to a part. ``flash``: firmware or VBIOS; ``coolant``: work on the loop; ``move``: to another rack or slot. ``clear``: a
person who knows better forgets its history, and says why."""
What = Literal["seen", "failed", "passed", "repaired"]


class Part(Record):
    """One part with a serial, as the evidence of a node names it."""

    serial: str
    kind: str
    """Record it comes from, lower case (``device``, ``bmc``, ``drive``); ``bmc`` is the machine itself."""
    place: str
    """As findings name it (``GPU 3``, ``mlx5_0``); empty for the machine itself."""
    node: str


PartRow = tuple[str, str, str]
"""Kind, place and serial of a part."""
PackedParts = str
"""The parts of a node as JSON, a list of `PartRow`; empty without evidence. Equal texts are equal parts."""


def unpacked_parts(node: str, packed: PackedParts) -> list[Part]:
    """The parts of `node`."""
    rows: list[PartRow] = from_json(packed) if packed else []
    return [Part.unvalidated(serial=serial, kind=kind, place=place, node=node) for kind, place, serial in rows]


class PartEvent(Record):
    """One event in the history of a part."""

    serial: str
    kind: str
    place: str
    node: str
    """Where the part was when it happened."""
    what: What
    at: str
    """ISO time in UTC: when the evidence was taken, or when the repair was done."""
    check: str = ""
    """The check that failed or passed; for a repair the one that it answers, empty for all that are open."""
    action: str = ""
    by: str = ""
    says: str = ""

    @property
    def time(self) -> datetime:
        """`at` as a time. Raises ValueError if it is malformed."""
        return parse_time(self.at)


class RepairRule(Record):
    """How many repairs of one kind a part may have in a time before it is to be replaced."""

    action: str
    """As in `Action`; ``any`` counts resets, reboots and reseats together."""
    most: float
    hours: float
    source: str


class Retest(Record):
    """What must pass again after a repair, on evidence newer than it."""

    action: str
    """As in `Action`."""
    part: str
    """Kind of part, as in `Part`; empty for any other."""
    checks: list[str]
    """Patterns over check ids; those that no verdict of the node matches do not apply to it."""
    source: str
