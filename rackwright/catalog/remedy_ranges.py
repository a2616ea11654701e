"""How far ``rackwright design --fix`` looks for changes, read from ``remedy_ranges.yaml``, which has the reasons."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from pydantic import Field

from rackwright.catalog.datafile import read_record
from rackwright.model.base import Positive, Record
from rackwright.model.sku import Source

Share = Annotated[float, Field(gt=0, lt=1)]
Ratio = Annotated[int | float, Field(ge=1)]


class RemedyRanges(Record):
    """Everything of ``remedy_ranges.yaml``."""

    values_tried: Positive
    """Values of one field; the search halves them."""
    values_in_order: Positive
    """Up to so many values are tried one after the other."""
    most_times: Positive
    """A feed, a hall or a set of equal parts is not made larger than so many times itself."""
    most_kelvin: Positive
    """How far a supply temperature is moved, in steps of one kelvin."""
    more_spines: Positive
    oversubscriptions: list[Ratio]
    """From none upwards."""
    promise_shares: list[Share]
    """Of a promise, from a small to a large cut."""
    growth_times: list[Ratio]
    """Of an amount, from a small to a large growth."""
    least_cap_share: Share
    """Of the power of its accelerators: no cap is proposed that leaves them less."""
    sources: list[Source]


@cache
def load() -> RemedyRanges:
    """``remedy_ranges.yaml`` as its record."""
    return read_record("remedy_ranges", RemedyRanges)
