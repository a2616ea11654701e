"""All sheets of a design: which drawings there are, in reading order, each as one SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from markupsafe import Markup

from rackwright.model.design import Design
from rackwright.report.drawing_data import coolant as heat_of
from rackwright.report.drawing_data import fabric as fabric_of
from rackwright.report.drawing_data import floor as floor_of
from rackwright.report.drawing_data import plant, racks
from rackwright.report.drawing_data import power as power_of
from rackwright.report.drawings import coolant, fabric_sheet, floor, power, rack_sheet

KINDS = ("floor", "racks", "fabric", "power", "coolant")
"""What can be drawn, in reading order."""


@dataclass(frozen=True)
class Wanted:
    """Which drawings; None means all of a kind. `rack` may be a pattern."""

    kinds: tuple[str, ...] = KINDS
    rack: str | None = None
    fabric: str | None = None
    hall: str | None = None


@dataclass(frozen=True)
class Sheet:
    """One drawing."""

    kind: str
    name: str
    """What it shows (``train-r01``); empty where there is only one of the kind."""
    title: str
    svg: Markup


def sheets(design: Design, wanted: Wanted) -> Iterator[Sheet]:
    """The sheets of `design`, in reading order."""
    drawn: dict[str, Callable[[Design, Wanted], Iterator[Sheet]]] = {
        "floor": _floor,
        "racks": _racks,
        "fabric": _fabrics,
        "power": _power,
        "coolant": _coolant,
    }
    for kind in KINDS:
        if kind in wanted.kinds:
            yield from drawn[kind](design, wanted)


def _floor(design: Design, wanted: Wanted) -> Iterator[Sheet]:
    for hall in floor_of.halls(design, wanted.hall):
        yield Sheet("floor", hall.name, f"Floor plan of {hall.name}", floor.drawing(hall, design.site.site))


def _racks(design: Design, wanted: Wanted) -> Iterator[Sheet]:
    feeds = plant.feeds(design)
    for face in racks.faces(design, wanted.rack):
        more = f", drawn for {len(face.alike)} equal racks" if len(face.alike) > 1 else ""
        yield Sheet("racks", face.rack, f"Rack {face.rack}{more}", rack_sheet.drawing(face, feeds, design.site.site))


def _fabrics(design: Design, wanted: Wanted) -> Iterator[Sheet]:
    for one in fabric_of.fabrics(design, wanted.fabric):
        if one.graphs:
            yield Sheet("fabric", one.name, f"Fabric {one.name}", fabric_sheet.drawing(one, design.site.site))


def _power(design: Design, _wanted: Wanted) -> Iterator[Sheet]:
    diagram = power_of.single_line(design)
    if diagram:
        yield Sheet("power", "", "Single-line power diagram", power.drawing(diagram, design.site.site))


def _coolant(design: Design, wanted: Wanted) -> Iterator[Sheet]:
    for one in heat_of.coolings(design, wanted.hall):
        yield Sheet("coolant", one.hall, f"Cooling of {one.hall}", coolant.drawing(one, design.site.site))
