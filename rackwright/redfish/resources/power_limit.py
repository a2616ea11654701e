"""What a chassis draws and may draw.

Schemas: https://redfish.dmtf.org/schemas/v1/EnvironmentMetrics.json, and the older Power.json (PowerControl)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackwright.redfish.resources.numbers import maybe

OFF = {"Disabled", "Override"}
"""Modes of a control in which its set point counts for nothing (Control.json, ControlModes)."""


class PowerLimit(NamedTuple):
    """What we read of draw and limit."""

    watts: float | None
    limit_watts: float | None
    is_reported: bool
    """Whether the document says anything of a limit."""

    @classmethod
    def of(cls, metrics: Mapping[str, Any], power: Mapping[str, Any]) -> PowerLimit:
        """From EnvironmentMetrics, else from the older Power; either may be empty."""
        control = metrics.get("PowerLimitWatts")
        first: Mapping[str, Any] = next(iter(power.get("PowerControl") or []), {})
        older = first.get("PowerLimit")
        watts = maybe((metrics.get("PowerWatts") or {}).get("Reading"))
        if watts is None:
            watts = maybe(first.get("PowerConsumedWatts"))
        if isinstance(control, Mapping):
            off = control.get("ControlMode") in OFF
            return cls(watts, None if off else maybe(control.get("SetPoint")), is_reported=True)
        limit = maybe(older.get("LimitInWatts")) if isinstance(older, Mapping) else None
        return cls(watts, limit, is_reported=isinstance(older, Mapping))
