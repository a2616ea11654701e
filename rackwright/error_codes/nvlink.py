"""What an error code of an NVLink means, bit by bit, as NVIDIA's catalogue decodes it.

The tables stand in
``validators/xid/nvlink5.yaml`` and ``nvlink4.yaml``.
"""

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
"""Of the actions that several bits ask for, the last one holds."""
REASON_BITS = range(25, 19, -1)
"""Bits of IntrInfo that tell apart why a unit reports; the same before and since R575."""


class Source(Record):
    """Where the rows of one file come from."""

    name: str
    version: str
    source: str
    date: str


class LinkUnit(Record):
    """A unit that reports errors of NVLink 5."""

    code: int
    names: list[str]
    """As the driver prints it; the name since R575 stands last."""
    before: str
    """Low bits of IntrInfo in drivers before R575."""
    since: str
    """Low bits of IntrInfo from R575 on."""


class LinkRule(Record):
    """What one error of a unit asks for."""

    code: int
    unit: str
    reason: list[int] = [0]
    status: list[str] = []
    """Error status; every one when there is none."""
    flag: str = ""
    """The bit above those of the unit, where it promotes the error."""
    action: str
    """What to do at once."""
    then: str
    """What to look into after that."""


class RegisterBits(Record):
    """What bits of a register of NVLink 4 ask for."""

    word: int
    """From 1, as the catalogue counts."""
    bits: list[int]
    action: str
    then: str


@dataclass(frozen=True)
class Decoded:
    """One error of an NVLink."""

    unit: str
    """The unit that reports; empty for NVLink 4, whose bits stand for units."""
    action: str
    then: str


@cache
def loaded() -> tuple[Source, tuple[LinkUnit, ...], tuple[LinkRule, ...]]:
    """The tables; ProblemsError for rows that their records refuse."""
    path = content.folder("validators", "xid", "nvlink5.yaml")
    rows = tables.load_tables(path, {"catalogue": Source, "units": LinkUnit, "rules": LinkRule})
    units, rules = (tuple(row.record for row in rows[key]) for key in ("units", "rules"))
    return rows["catalogue"][0].record, units, rules


def decode(code: int, text: str) -> Decoded | None:
    """The error that `text` tells of; None for a text of another shape and for what no row of the catalogue fits."""
    match = TEXT.match(text)
    if match is None:
        return None
    info, status = int(match["info"], 16), int(match["status"] or "0", 16)
    for unit in loaded()[1]:
        if unit.code == code and match["unit"] in unit.names:
            for rule in rules_of(unit):
                status_fits = not rule.status or status in [int(word, 16) for word in rule.status]
                if status_fits and any(fits(mask, info) for mask in masks(unit, rule)):
                    return Decoded(match["unit"], rule.action, rule.then)
    return None


@cache
def registers() -> tuple[Source, tuple[RegisterBits, ...]]:
    """The table of NVLink 4; ProblemsError for rows that their records refuse."""
    path = content.folder("validators", "xid", "nvlink4.yaml")
    rows = tables.load_tables(path, {"catalogue": Source, "bits": RegisterBits})
    return rows["catalogue"][0].record, tuple(row.record for row in rows["bits"])


def decode_registers(text: str) -> Decoded | None:
    """What the set bits ask for together; None for a text without registers, without a set bit, or with one that is not listed."""
    match = REGISTERS.search(text)
    words = [int(word, 16) for word in re.findall(r"0x[0-9a-f]+", match[1], re.IGNORECASE)] if match else []
    rows_by_bit = {(row.word, bit): row for row in registers()[1] for bit in row.bits}
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
    """The rules of a unit, which go by its newest name."""
    return [rule for rule in loaded()[2] if (rule.code, rule.unit) == (unit.code, unit.names[-1])]


def masks(unit: LinkUnit, rule: LinkRule) -> list[str]:
    """What IntrInfo must look like, 32 bits each: ``-`` fits both, as the catalogue writes it.

    Both layouts, for a log does not tell the version of the driver that wrote it; a test holds that no word fits both.
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
