"""What differs where a site is built a second time, for development or for staging."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from rackwright.model.base import Record
from rackwright.model.texts import DnsLabel, FieldPath, Line


class SiteDifference(Record):
    """A field of the site that has another value there."""

    field: FieldPath
    """Entries of a list by number, or by name where they have one (``pools.train.count``)."""
    value: Any
    because: Line


class Environment(Record):
    """A site that is as this one, except for what stands here."""

    name: DnsLabel
    """``dev``, ``stage`` ..."""
    differences: Annotated[list[SiteDifference], Field(min_length=1)]
