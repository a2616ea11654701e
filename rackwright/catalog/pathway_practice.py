"""How full trays are, how cables bend and how they are pulled, read from ``pathway_practice.yaml``."""

from __future__ import annotations

import math
from functools import cache
from typing import Annotated

from pydantic import Field

from rackwright.catalog.datafile import read_record
from rackwright.model.base import Positive, Record
from rackwright.model.sku import Source

Share = Annotated[float, Field(gt=0, le=1)]
Amount = Annotated[float, Field(gt=0)]


class TrayPractice(Record):
    """Fill of a tray: cross-sections of its cables over width times depth."""

    planning_share: Share
    """Trays are planned up to this share, so that cables can be replaced and added."""
    most_share: Share
    width_mm: Positive
    """Of the tray that is assumed where a hall declares none."""
    depth_mm: Positive


class BendPractice(Record):
    """Where a cable turns behind its device."""

    front_millimeters: Amount
    """From the front door of a rack to the front of its devices."""
    plug_millimeters: Amount
    """From the device to where the cable begins to bend."""


class PulledCables(Record):
    """Media that crews pull through trays."""

    media: list[str]
    most_newtons: Amount
    """On one cable."""
    grams_per_meter: Amount


class LaidCables(Record):
    """Media that crews lay in trays, because nobody may pull on them."""

    media: list[str]
    most_meters: Amount


class PullPractice(Record):
    """How cables come into trays."""

    friction: Amount
    """Of a jacket on a dry tray."""
    newtons_per_kilogram: Amount
    section_corners: int
    """Corners between two places where a crew takes cables up."""
    corners: dict[str, int]
    """Corners of 90 degrees from one end to the other, by stage of the cable schedule."""
    pulled: list[PulledCables]
    laid: LaidCables

    def newtons(self, grams_per_meter: float, meters: float, corners: int) -> float:
        """Tension of one cable: weight times friction times length, times ``e^(friction * pi/2)`` for each corner (capstan equation)."""
        straight = grams_per_meter / 1000 * self.newtons_per_kilogram * self.friction * meters
        return straight * math.exp(self.friction * math.pi / 2 * corners)


class PathwayPractice(Record):
    """Everything of ``pathway_practice.yaml``."""

    tray: TrayPractice
    bend: BendPractice
    pull: PullPractice
    sources: list[Source]


@cache
def load() -> PathwayPractice:
    """``pathway_practice.yaml`` as its record."""
    return read_record("pathway_practice", PathwayPractice)
