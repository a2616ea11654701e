"""All drawings of a design, in reading order, each as one SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

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
class DrawingSelection:
    """The drawings to make; None selects all of a kind. `rack` may be a pattern."""

    kinds: tuple[str, ...] = KINDS
    rack: str | None = None
    fabric: str | None = None
    hall: str | None = None
    remarks: Mapping[str, str] = field(default_factory=dict)
    """Device -> what is wrong with its slot, written into its rack."""


@dataclass(frozen=True)
class DrawingSheet:
    """One drawing."""

    kind: str
    name: str
    """The object it shows (``train-r01``); empty if there is only one of the kind."""
    title: str
    svg: Markup


def sheets(design: Design, selection: DrawingSelection) -> Iterator[DrawingSheet]:
    """The drawings of `design`, in reading order."""
    drawers: dict[str, Callable[[Design, DrawingSelection], Iterator[DrawingSheet]]] = {
        "floor": _floor,
        "racks": _racks,
        "fabric": _fabrics,
        "power": _power,
        "coolant": _coolant,
    }
    for kind in KINDS:
        if kind in selection.kinds:
            yield from drawers[kind](design, selection)


def _floor(design: Design, selection: DrawingSelection) -> Iterator[DrawingSheet]:
    for hall in floor_of.halls(design, selection.hall):
        yield DrawingSheet("floor", hall.name, f"Floor plan of {hall.name}", floor.drawing(hall, design.site.site))


def _racks(design: Design, selection: DrawingSelection) -> Iterator[DrawingSheet]:
    feeds = plant.feeds(design)
    for face in racks.faces(design, selection.rack):
        more = f", drawn for {len(face.alike)} equal racks" if len(face.alike) > 1 else ""
        yield DrawingSheet(
            "racks",
            face.rack,
            f"Rack {face.rack}{more}",
            rack_sheet.drawing(face, feeds, design.site.site, selection.remarks),
        )


def _fabrics(design: Design, selection: DrawingSelection) -> Iterator[DrawingSheet]:
    for fabric in fabric_of.fabrics(design, selection.fabric):
        if fabric.graphs:
            yield DrawingSheet(
                "fabric", fabric.name, f"Fabric {fabric.name}", fabric_sheet.drawing(fabric, design.site.site)
            )


def _power(design: Design, _selection: DrawingSelection) -> Iterator[DrawingSheet]:
    diagram = power_of.single_line(design)
    if diagram:
        yield DrawingSheet("power", "", "Single-line power diagram", power.drawing(diagram, design.site.site))


def _coolant(design: Design, selection: DrawingSelection) -> Iterator[DrawingSheet]:
    for cooling in heat_of.coolings(design, selection.hall):
        yield DrawingSheet(
            "coolant", cooling.hall, f"Cooling of {cooling.hall}", coolant.drawing(cooling, design.site.site)
        )
