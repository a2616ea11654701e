"""Differences between a list of cables or devices and the design: missing, unplanned, in another port or in another
place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rackwright.flow.cable_list import CableList, ListedCable, ListedDevice
from rackwright.model.design import Design
from rackwright.model.port_spellings import PortSpellings

End = tuple[str, str]


@dataclass(frozen=True)
class ListDifference:
    """One difference between the list and the design."""

    kind: str
    """missing, extra, swapped, twice, port, part, length, rack, unit."""
    line: int
    """Row or entry of the list; 0 for something that it lacks."""
    subject: str
    says: str


def differences(design: Design, listed: CableList) -> list[ListDifference]:
    """All differences, cables first; if the list has no cables (or no devices), none are reported missing.

    Ports of switches are compared by identity, whatever naming system the list uses.
    """
    result = list(_cables(design, listed.cables)) if listed.cables else []
    return result + (list(_devices(design, listed.devices)) if listed.devices else [])


def _cables(design: Design, cables: tuple[ListedCable, ...]) -> Iterator[ListDifference]:
    planned: dict[frozenset[End], tuple[str, str, float | None, End, End]] = {}
    far_end: dict[End, End] = {}
    called: dict[End, End] = {}
    columns = ("cable", "a_device", "a_port", "b_device", "b_port", "sku", "length_meters")
    for cable, a_device, a_port, b_device, b_port, sku, length in design.cables.select(columns).iter_rows():
        a, b = _key((a_device, a_port)), _key((b_device, b_port))
        planned[frozenset((a, b))] = (cable, sku, length, (a_device, a_port), (b_device, b_port))
        far_end[a], far_end[b] = b, a
        called[a], called[b] = (a_device, a_port), (b_device, b_port)
    listed: dict[frozenset[End], int] = {}
    touched: set[End] = set()
    spellings = PortSpellings(design)
    for entry in cables:
        unknown = [end for end in (entry.a, entry.b) if spellings.named(*end) is None]
        if unknown:
            touched |= {_key(end) for end in (entry.a, entry.b) if end not in unknown}
            yield _unknown_port(entry, unknown[0], spellings)
            continue
        a, b = (_key((device, spellings.named(device, port) or port)) for device, port in (entry.a, entry.b))
        ends = frozenset((a, b))
        subject = f"{_named(entry.a)} - {_named(entry.b)}"
        touched |= ends
        if ends in listed:
            yield ListDifference("twice", entry.line, subject, f"listed in {listed[ends]} already")
        elif ends in planned:
            yield from _properties(entry, subject, *planned[ends][1:3])
        elif planned_ends := [end for end in (a, b) if end in far_end]:
            places = ", ".join(
                f"{_named(called[end])} is planned to {_named(called[far_end[end]])}" for end in planned_ends
            )
            yield ListDifference("swapped", entry.line, subject, places)
        else:
            yield ListDifference("extra", entry.line, subject, "no cable is planned at either end")
        listed.setdefault(ends, entry.line)
    for ends, (cable, _, _, near, far) in planned.items():
        if ends not in listed and not ends & touched:
            yield ListDifference("missing", 0, cable, f"{_named(near)} - {_named(far)} is planned and not listed")


def _unknown_port(entry: ListedCable, end: End, spellings: PortSpellings) -> ListDifference:
    device, port = end
    says = f"no port of {device}, or more than one, is called {port or 'nothing'}; its ports are {spellings.example(device)} ..."
    return ListDifference("port", entry.line, f"{_named(entry.a)} - {_named(entry.b)}", says)


def _properties(entry: ListedCable, subject: str, sku: str, length: float | None) -> Iterator[ListDifference]:
    if entry.sku and entry.sku.lower() != (sku or "").lower():
        yield ListDifference("part", entry.line, subject, f"listed as {entry.sku}, planned as {sku}")
    if entry.length and length is not None:
        try:
            meters = float(entry.length.lower().removesuffix("m").strip())
        except ValueError:
            yield ListDifference(
                "length",
                entry.line,
                subject,
                f"the length {entry.length} is no number of metres; planned are {length:g} m",
            )
            return
        if meters != length:
            yield ListDifference("length", entry.line, subject, f"listed with {meters:g} m, planned with {length:g} m")


def _devices(design: Design, devices: tuple[ListedDevice, ...]) -> Iterator[ListDifference]:
    planned = {name: (rack, unit) for name, rack, unit in design.devices.select("device", "rack", "unit").iter_rows()}
    names = {name.lower(): name for name in planned}
    listed: dict[str, int] = {}
    for entry in devices:
        name = names.get(entry.name.lower(), "")
        if entry.name.lower() in listed:
            yield ListDifference("twice", entry.line, entry.name, f"listed in {listed[entry.name.lower()]} already")
        elif not name:
            yield ListDifference("extra", entry.line, entry.name, "the design has no such device")
        else:
            rack, unit = planned[name]
            if entry.rack and entry.rack != rack:
                yield ListDifference("rack", entry.line, name, f"listed in {entry.rack}, planned in {rack}")
            elif entry.unit and entry.unit != str(unit):
                yield ListDifference("unit", entry.line, name, f"listed at unit {entry.unit}, planned at {unit}")
        listed.setdefault(entry.name.lower(), entry.line)
    for key, name in names.items():
        if key not in listed:
            yield ListDifference("missing", 0, name, "planned and not listed")


def _key(end: End) -> End:
    return end[0].strip().lower(), end[1].strip().lower()


def _named(end: End) -> str:
    return ":".join(end)
