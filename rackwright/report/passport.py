"""What the passport of a node says of its parts and versions.

No record is known by name: whatever the evidence calls a version is one, so that new kinds of evidence show up by themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from pydantic import BaseModel

from rackwright.model.check import NodeEvidence
from rackwright.model.evidence.host import Packages
from rackwright.model.repair import Part, PartEvent
from rackwright.report.cards import Fact, PartLine, RepairLine

VERSION = re.compile(r"(^|_)(version|vbios|firmware|microcode|kernel|inforom|fw)($|_)")
MOST = 4
"""Different values of one version that are still named."""


def versions(seen: NodeEvidence | None) -> list[Fact]:
    """Firmware and software by record and field; equal values of several parts are one, with their number."""
    found: dict[str, dict[str, int]] = {}
    for record in seen.records.values() if seen is not None else ():
        if isinstance(record, Packages):
            continue  # the software bill has checks and a table of its own
        for name, value in _walk(record):
            found.setdefault(name, {})
            found[name][value] = found[name].get(value, 0) + 1
    return [Fact(name=name, value=_values(counts)) for name, counts in sorted(found.items())]


def software(seen: NodeEvidence | None) -> list[Fact]:
    """The packages of the software bill that the node has."""
    record = seen.get(Packages) if seen is not None else None
    if record is None:
        return []
    return [
        Fact(name=name, value=one.version) for name, one in sorted(record.packages.items()) if one.status == "installed"
    ]


def _walk(value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            item = getattr(value, name)
            if isinstance(item, str) and item and VERSION.search(name):
                yield f"{_words(type(value).__name__)}: {name.replace('_', ' ')}", item
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
    told = [f"{value} on {count}" for value, count in list(counts.items())[:MOST]]
    return ", ".join(told) + (f" and {len(counts) - MOST} more" if len(counts) > MOST else "")


def parts(members: Iterable[Part]) -> list[PartLine]:
    """The parts with serials."""
    return [PartLine(kind=one.kind, place=_place(one), serial=one.serial) for one in members]


def _place(part: Part | PartEvent) -> str:
    return part.place or ("machine" if part.kind == "bmc" else part.kind)


def repairs(node: str, members: Sequence[Part], history: Iterable[PartEvent]) -> list[RepairLine]:
    """What happened to the parts that are in the node now, wherever they were, and to those that it lost."""
    here = {part.serial for part in members}
    return [
        RepairLine(
            at=one.at,
            part=f"{_place(one)} {one.serial}" + ("" if one.node == node else f" (then in {one.node})"),
            what=one.action or one.what,
            check=one.check,
            by=one.by,
            says=one.says,
        )
        for one in history
        if one.what != "seen" and (one.serial in here or one.node == node)
    ]
