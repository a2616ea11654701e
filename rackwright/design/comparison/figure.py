"""One figure of one design, and access to a value inside a study that may be missing."""

from __future__ import annotations

from typing import Any

from rackwright.model.design import Design

Value = float | int | str | None
"""None: the design lacks it, or it is unknown."""
Figures = dict[tuple[str, str], tuple[Value, str]]
"""Value and unit by subject and name."""


def study_value(design: Design, study: str, *path: str) -> Value:
    """A value inside a study; None where the design has no such study."""
    value: Any = design.studies.get(study)
    for step in path:
        value = value.get(step) if value else None
    return value  # type: ignore[no-any-return]
