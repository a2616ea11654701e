"""Published designs and what is wrong in published data, read from ``errata.yaml``."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from pydantic import Field

from rackwright.catalog.datafile import read_record
from rackwright.model.base import Name, Positive, Record
from rackwright.model.sku import Source

Count = Annotated[int, Field(ge=0)]


class Document(Record):
    """Something that was published."""

    doc: str
    url: str
    date: str
    """ISO date of the document, or of the day it was read where it has none."""


class PublishedDesign(Record):
    """One row of a published scale table: the compute fabric of so many nodes."""

    name: str
    document: Count
    """Index into the documents."""
    servers: list[str]
    nodes: Positive
    leaf: Count
    spine: Count
    core: Count
    errata: list[Name] = []


class Erratum(Record):
    """A wrong statement in a publication."""

    id: Name
    document: Count
    printed: str
    right: str
    why: str
    parts: list[str] = []
    """SKUs that it concerns."""
    circuit_volts: Positive | None = None
    circuit_amps: Positive | None = None
    failure_rates: bool = False
    """Whether it concerns the study behind the failure rates."""


class Errata(Record):
    """Everything of ``errata.yaml``."""

    designs: list[PublishedDesign]
    errata: list[Erratum]
    documents: list[Document]
    sources: list[Source]


@cache
def load() -> Errata:
    """``errata.yaml`` as its record."""
    return read_record("errata", Errata)
