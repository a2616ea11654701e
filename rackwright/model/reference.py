"""Readings of machines in the field that a limit is held against: a healthy one must pass, a faulty one must not."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rackwright.model.base import Record


class FieldReading(Record):
    """What one machine, or one kind of machine, was published or recorded with."""

    value: float | None = None
    """In the unit of the metric."""
    says: str = ""
    """The reading in words, where it is no number."""
    source: Annotated[str, Field(min_length=1)]
    date: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    """When it was published, or read."""
    opened: Annotated[str, Field(pattern=r"^(\d{4}-\d{2}-\d{2})?$")] = ""
    """When somebody last opened the source and read the value in it; empty where nobody could."""
    kind: Literal["measured", "recorded", "vendor", "operator", "derived"]
    """``derived``: by a formula that `source` names, from something published."""


class FieldReference(Record):
    """A healthy and a faulty machine for rows of one metric, or for checks that hold no number."""

    checks: Annotated[list[str], Field(min_length=1)]
    metric: str = ""
    """Empty for comparisons without a number of their own."""
    matches: list[dict[str, str]] = [{}]
    """Of the rows that it stands for."""
    because: str = ""
    """Why it stands for all of them, where there are more than one."""
    healthy: Annotated[list[FieldReading], Field(min_length=1)]
    """The first is what a machine of the twin reaches."""
    faulty: Annotated[list[FieldReading], Field(min_length=1)]
