"""Fields of every part: its name, its vendor, and a source for each of its numbers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rackwright.model import texts
from rackwright.model.base import Record
from rackwright.model.texts import FieldPattern, Line, PublishedOn, SourceUrl

Support = Literal["verified", "rehearsed", "declared"]
"""verified: run on the real part; rehearsed: run on the twin; declared: data only."""


class Source(Record):
    """Where numbers come from."""

    doc: Line
    url: SourceUrl = ""
    date: PublishedOn
    """ISO date of the document or of the day it was read."""
    level: Literal["read", "secondary", "derived"]
    covers: list[FieldPattern]
    """Glob patterns over the field paths of the record (``psus.*``, ``weight_kg``)."""


class Conflict(Record):
    """Another value that a published source prints for a field; the value of the field itself is the one used."""

    field: FieldPattern
    value: Line
    doc: Line


class Sku(Record):
    """Fields that every part has."""

    sku: texts.Sku
    manufacturer: Line
    model: Line
    support: Support = "declared"
    list_price_usd: Annotated[float, Field(gt=0)] | None = None
    conflicts: list[Conflict] = []
    sources: list[Source]
