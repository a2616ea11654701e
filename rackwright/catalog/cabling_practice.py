"""How cables are bundled and labelled, read from ``cabling_practice.yaml``."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from pydantic import Field

from rackwright.catalog.datafile import read_record
from rackwright.model.base import Positive, Record
from rackwright.model.sku import Source

Millimeters = Annotated[float, Field(gt=0)]


class BundleSize(Record):
    """The most cables of some media that are tied together."""

    media: list[str]
    """As in ``Cable.medium``; cables of different entries are never in one bundle."""
    most: Positive


class LabelSheet(Record):
    """A sheet of self-laminating labels: the text is on the upper strip, the clear rest wraps around the cable and over it."""

    stock: str
    page_width_mm: Millimeters
    page_height_mm: Millimeters
    columns: Positive
    rows: Positive
    label_width_mm: Millimeters
    """Along the cable."""
    label_height_mm: Millimeters
    """Around the cable."""
    print_height_mm: Millimeters


class CablingPractice(Record):
    """Everything of ``cabling_practice.yaml``."""

    bundles: list[BundleSize]
    sheet: LabelSheet
    sources: list[Source]


@cache
def load() -> CablingPractice:
    """``cabling_practice.yaml`` as its record."""
    return read_record("cabling_practice", CablingPractice)
