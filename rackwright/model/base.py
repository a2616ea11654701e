"""The base of every record: immutable, strict, and documented by the docstrings of its fields."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A record: frozen, unknown keys refused, wrong types refused rather than converted."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)
