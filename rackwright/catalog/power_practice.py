"""Practice of power distribution, read from ``power_practice.yaml``."""

from __future__ import annotations

from functools import cache
from typing import Annotated

from pydantic import Field

from rackwright.catalog.datafile import read_record
from rackwright.model.base import Record
from rackwright.model.sku import Source

Share = Annotated[float, Field(gt=0, lt=1)]


class PowerPractice(Record):
    """Everything of ``power_practice.yaml``."""

    phase_imbalance_share: Share
    """Largest deviation of a phase from the mean of the three, over that mean, that is still called balanced."""
    outlet_volts: Annotated[float, Field(gt=0)]
    """Highest voltage of the outlets of a rack PDU."""
    coupler_amps: dict[str, float]
    """What the inlet that goes with an outlet of this type bears; a supply with more current has a larger inlet."""
    voltage_share: Share
    """How far the voltage of a supply may be from that of the equipment."""
    sources: list[Source]

    def source(self, field: str) -> str:
        """Document and date behind a field."""
        return next(f"{source.doc.split(':')[0]}, {source.date}" for source in self.sources if field in source.covers)


@cache
def load() -> PowerPractice:
    """``power_practice.yaml`` as its record."""
    return read_record("power_practice", PowerPractice)
