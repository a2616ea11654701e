"""Geometry that cable lengths and rack elevations are computed from, read from ``routing.yaml``."""

from __future__ import annotations

from rackwright.model.base import Record
from rackwright.model.sku import Source


class Routing(Record):
    """How cables run: up the side of a rack, along the tray above the row, across the aisle, down again."""

    rack_unit_millimeters: float
    """Height of one rack unit."""
    rack_exit_millimeters: float
    """From the port to the cable manager at the side of the rack."""
    tray_above_rack_millimeters: float
    """From the top of the rack to the tray."""
    slack_millimeters: float
    """Spare length at each end, for dressing and for pulling a device forward."""
    row_pitch_millimeters: float
    """From the front of one row to the front of the next row that faces the same way, halved: two rows share an aisle."""
    sources: list[Source]
