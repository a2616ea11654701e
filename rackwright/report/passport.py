"""Parts and versions of a node, for its passport.

No record is known by name: every version field in the evidence is listed, so new kinds of evidence show up automatically.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pydantic import BaseModel

from rackwright.model.check import NodeEvidence
from rackwright.model.evidence.host import Packages
from rackwright.model.records import reading_name
from rackwright.model.repair import Part, PartEvent
from rackwright.report.cards import Fact, PartLine, RepairLine

VERSION = re.compile(r"(^|_)(version|vbios|firmware|microcode|kernel|inforom|fw)($|_)")
MOST = 4
"""Different values of one version that are listed."""


def versions(evidence: NodeEvidence | None) -> list[Fact]:
    """Firmware and software versions by record and field; equal values of several parts share a line, with their count."""
    counts_by_name: dict[str, dict[str, int]] = {}
    for record in evidence.records.values() if evidence is not None else ():
        if isinstance(record, Packages):
            continue  # the software bill has checks and a table of its own
        for name, value in _walk(record):
            counts_by_name.setdefault(name, {})
            counts_by_name[name][value] = counts_by_name[name].get(value, 0) + 1
    return [Fact(name=name, value=_values(counts)) for name, counts in sorted(counts_by_name.items())]


def software(evidence: NodeEvidence | None) -> list[Fact]:
    """The node's packages from the software bill."""
    record = evidence.get(Packages) if evidence is not None else None
    if record is None:
        return []
    return [
        Fact(name=name, value=package.version)
        for name, package in sorted(record.packages.items())
        if package.status == "installed"
    ]


def _walk(value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            item = getattr(value, name)
            if isinstance(item, str) and item and VERSION.search(name):
                yield f"{_words(reading_name(type(value)))}: {name.replace('_', ' ')}", item
            else:
                yield from _walk(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _walk(item)
    elif isinstance(value, dict):
        yield from _walk(list(value.values()))


def _words(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def _values(counts: Mapping[str, int]) -> str:
    if len(counts) == 1:
        [(value, count)] = counts.items()
        return f"{value} on all {count}" if count > 1 else value
    values = [f"{value} on {count}" for value, count in list(counts.items())[:MOST]]
    return ", ".join(values) + (f" and {len(counts) - MOST} more" if len(counts) > MOST else "")


def parts(members: Iterable[Part]) -> list[PartLine]:
    """The parts with serials."""
    return [PartLine(kind=part.kind, place=_place(part), serial=part.serial) for part in members]


def _place(part: Part | PartEvent) -> str:
    return part.place or ("machine" if part.kind == "bmc" else part.kind)


def repairs(node: str, members: Sequence[Part], history: Iterable[PartEvent]) -> list[RepairLine]:
    """Events of the parts now in the node, wherever they happened, and of parts it lost."""
    serials = {part.serial for part in members}
    return [
        RepairLine(
            at=event.at,
            part=f"{_place(event)} {event.serial}" + ("" if event.node == node else f" (then in {event.node})"),
            what=event.action or event.what,
            check=event.check,
            by=event.by,
            says=event.says,
        )
        for event in history
        if event.what != "seen" and (event.serial in serials or event.node == node)
    ]
