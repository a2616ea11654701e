"""Meaning of the error codes of an NVLink, bit by bit, by the tables ``validators/xid/nvlink5.yaml`` and ``nvlink4.yaml`` of NVIDIA's catalogue."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from rackwright.base import content, tables
from rackwright.model.base import Record

TEXT = re.compile(
    r"(?:pid=.*?, )?(?P<unit>[A-Z][A-Za-z0-9_ ]*?)\s+(?:Fatal|Nonfatal)\s.*?"
    r"\((?P<info>0x[0-9a-f]+)(?: (?P<status>0x[0-9a-f]+))?",
    re.IGNORECASE,
)
"""The catalogue's own format: unit, severity, cross containment, injected, link, then IntrInfo and error status."""
REGISTERS = re.compile(r"link \d+ ?\(((?:0x[0-9a-f]+(?:, ?)?)+)\)", re.IGNORECASE)
"""Xid 74: the registers behind the link."""
GRAVITY = ("ignore", "workflow_nvlink", "check_mechanicals", "reset_all")
"""Actions from mild to severe; of several actions the most severe one counts."""
REASON_BITS = range(25, 19, -1)
"""Bits of IntrInfo with the reason of the report; the same before and since R575."""


class TableSource(Record):
    """Origin of the rows of one file."""

    name: str
    version: str
    source: str
    date: str


class LinkUnit(Record):
    """A unit that reports errors of NVLink 5."""

    code: int
    names: list[str]
    """As drivers print it; the name since R575 is last."""
    before: str
    """Low bits of IntrInfo in drivers before R575."""
    since: str
    """Low bits of IntrInfo from R575 on."""


class LinkRule(Record):
    """The action for one error of a unit."""

    code: int
    unit: str
    reason: list[int] = [0]
    status: list[str] = []
    """Error status; empty matches every status."""
    flag: str = ""
    """The bit above those of the unit that promotes the error, if any."""
    action: str
    """Immediate action."""
    then: str
    """Investigation after the action."""


class RegisterBits(Record):
    """The action for bits of a register of NVLink 4."""

    word: int
    """From 1, as the catalogue counts."""
    bits: list[int]
    action: str
    then: str


@dataclass(frozen=True)
class Decoded:
    """One error of an NVLink."""

    unit: str
    """The reporting unit; empty for NVLink 4, where bits identify units."""
    action: str
    then: str


@cache
def load_nvlink5() -> tuple[TableSource, tuple[LinkUnit, ...], tuple[LinkRule, ...]]:
    """The tables of NVLink 5. Raises ProblemsError for rows that do not fit their records."""
    path = content.folder("validators", "xid", "nvlink5.yaml")
    rows = tables.load_tables(path, {"catalogue": TableSource, "units": LinkUnit, "rules": LinkRule})
    units, rules = (tuple(row.record for row in rows[key]) for key in ("units", "rules"))
    return rows["catalogue"][0].record, units, rules


def decode_error(code: int, text: str) -> Decoded | None:
    """The error in `text`; None for text of another format and for an error without a row in the catalogue."""
    match = TEXT.match(text)
    if match is None:
        return None
    info, status = int(match["info"], 16), int(match["status"] or "0", 16)
    for unit in load_nvlink5()[1]:
        if unit.code == code and match["unit"] in unit.names:
            for rule in rules_of(unit):
                status_fits = not rule.status or status in [int(word, 16) for word in rule.status]
                if status_fits and any(fits(mask, info) for mask in masks(unit, rule)):
                    return Decoded(match["unit"], rule.action, rule.then)
    return None


@cache
def load_nvlink4() -> tuple[TableSource, tuple[RegisterBits, ...]]:
    """The table of NVLink 4. Raises ProblemsError for rows that do not fit their records."""
    path = content.folder("validators", "xid", "nvlink4.yaml")
    rows = tables.load_tables(path, {"catalogue": TableSource, "bits": RegisterBits})
    return rows["catalogue"][0].record, tuple(row.record for row in rows["bits"])


def decode_registers(text: str) -> Decoded | None:
    """The action for all set bits together; None for text without registers or set bits, or with an unlisted bit."""
    match = REGISTERS.search(text)
    words = [int(word, 16) for word in re.findall(r"0x[0-9a-f]+", match[1], re.IGNORECASE)] if match else []
    rows_by_bit = {(row.word, bit): row for row in load_nvlink4()[1] for bit in row.bits}
    set_bits = [
        (at, bit) for at, word in enumerate(words, start=1) for bit in range(word.bit_length()) if word >> bit & 1
    ]
    if not set_bits or any(place not in rows_by_bit for place in set_bits):
        return None
    rows = [rows_by_bit[place] for place in set_bits]
    gravest = max((row.action for row in rows), key=GRAVITY.index)
    steps = dict.fromkeys(row.then for row in rows if row.action == gravest)
    return Decoded("", gravest, " and ".join(steps))


def rules_of(unit: LinkUnit) -> list[LinkRule]:
    """The rules of a unit, by its newest name."""
    return [rule for rule in load_nvlink5()[2] if (rule.code, rule.unit) == (unit.code, unit.names[-1])]


def masks(unit: LinkUnit, rule: LinkRule) -> list[str]:
    """The patterns of IntrInfo for a rule, 32 characters each: ``-`` matches both values, as in the catalogue.

    Both layouts, because a log does not show the driver version that wrote it; a test proves that no word matches both.
    """
    layouts = []
    for low in (unit.before, unit.since):
        for reason in rule.reason:
            tail = rule.flag + low
            middle = "-" * (REASON_BITS.stop + 1 - len(tail))
            layouts.append(f"------{reason:0{len(REASON_BITS)}b}{middle}{tail}")
    return layouts


def fits(mask: str, info: int) -> bool:
    """Whether the word `info` has the bits of `mask`."""
    return all(required in ("-", bit) for required, bit in zip(mask, f"{info:032b}", strict=True))
