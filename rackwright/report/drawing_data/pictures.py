"""All drawings of a design as one record, as ``report.json`` holds them.

Elevations are one rack of each kind, fabrics the first
graph of each: a page about a site of thousands of racks must stay a page.
"""

from __future__ import annotations

from rackwright.model.base import Record
from rackwright.model.design import Design
from rackwright.report.drawing_data import coolant, fabric, floor, plant, power, racks
from rackwright.report.drawing_data.fabric_records import FabricPicture
from rackwright.report.drawing_data.flow_records import Cooling, SingleLine
from rackwright.report.drawing_data.records import Face, HallPicture


class Pictures(Record):
    """Everything drawn of a design."""

    feeds: list[str]
    halls: list[HallPicture]
    faces: list[Face]
    fabrics: list[FabricPicture]
    power: SingleLine | None
    cooling: list[Cooling]


MOST_FACES = 12
"""Kinds of racks that are drawn; those of the run first."""


def pictures(design: Design, covered: frozenset[str]) -> Pictures:
    """The drawings of `design` for a page about the racks `covered`."""
    kinds = racks.faces(design, kinds=True)
    kinds.sort(key=lambda face: covered.isdisjoint(face.alike))
    return Pictures(
        feeds=plant.feeds(design),
        halls=floor.halls(design),
        faces=kinds[:MOST_FACES],
        fabrics=[picture.model_copy(update={"graphs": picture.graphs[:1]}) for picture in fabric.fabrics(design)],
        power=power.single_line(design),
        cooling=coolant.coolings(design),
    )
