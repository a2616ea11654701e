"""The base of every record: immutable, strict, and documented by the docstrings of its fields."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,30}$")]
Cidr = Annotated[str, Field(pattern=r"^\d+\.\d+\.\d+\.\d+/\d+$")]
Cidr6 = Annotated[str, Field(pattern=r"^[0-9a-fA-F:]+/\d+$")]
Positive = Annotated[int, Field(gt=0)]


class Record(BaseModel):
    """A record: frozen, unknown keys refused, wrong types refused rather than converted."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)
