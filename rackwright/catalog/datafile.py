"""Reads one reference file beside this module into its record."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from rackwright.base import yaml_text
from rackwright.model.base import Record

_R = TypeVar("_R", bound=Record)


def read_record(name: str, record: type[_R]) -> _R:
    """``<name>.yaml`` as `record`; raises pydantic's ``ValidationError`` when the file is not of that shape."""
    text = (Path(__file__).parent / f"{name}.yaml").read_text(encoding="utf-8")
    return record.model_validate(yaml_text.load(text))
