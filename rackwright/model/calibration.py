"""Limits that a site measures itself."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from rackwright.model.base import Name, Record
from rackwright.model.texts import Line


class Calibration(Record):
    """On which terms the nodes of a server make the limits that nobody has published for it (``judge --learn FILE --calibrate SERVER``)."""

    server: Name
    """SKU of the server; the limits hold for it and no other."""
    nodes: Annotated[int, Field(ge=4)] = 8
    """Least number of nodes whose readings make a limit."""
    runs: Annotated[int, Field(ge=2)] = 3
    """Least number of runs of every one of these nodes."""
    scatter: Annotated[float, Field(gt=0, lt=1)] = 0.03
    """Largest share by which a node may differ from the median of all, and a run of a node from its own median."""
    days: Annotated[int, Field(ge=1)] = 180
    """Days after which the limits hold no longer; they end with the software that was measured as well."""
    signed_by: Line
    """Who answers for them; named in every finding, in the report and in the signed handover."""
