"""All drawings of a design as one record, as ``report.json`` holds them."""

from __future__ import annotations

from rackwright.model.base import Record
from rackwright.report.picture.fabric_records import Fabric
from rackwright.report.picture.flow_records import Cooling, SingleLine
from rackwright.report.picture.records import Face, Hall


class Pictures(Record):
    """Everything that is drawn of a design."""

    feeds: list[str]
    halls: list[Hall]
    faces: list[Face]
    fabrics: list[Fabric]
    power: SingleLine | None
    cooling: list[Cooling]
