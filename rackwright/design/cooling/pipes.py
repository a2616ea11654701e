"""The pipe of a coolant loop: its size, the flow speed, and the pressure drop of the straight run.

Bends, valves and filters are not included; a site that knows them declares `loop_pressure_kpa`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rackwright.catalog import hall_practice, water_classes
from rackwright.model.plant import Coolant

LITERS_PER_M3 = 1000
SECONDS_PER_MINUTE = 60
LAMINAR_REYNOLDS = 2300


@dataclass(frozen=True)
class PipeHeader:
    """Equal parallel supply pipes; the return has the same number again."""

    pipe: str
    count: int
    meters_per_s: float
    run_meters: float
    """Supply and return together."""
    pressure_kpa: float | None
    """None if the viscosity of the coolant is unknown."""


def size_header(liters_per_minute: float, coolant: Coolant, run_meters: float) -> PipeHeader:
    """The thinnest pipe in which the coolant stays below the speed limit; several of the thickest where one is too thin."""
    practice, limit = hall_practice.load(), water_classes.load().practice.max_pipe_meters_per_s
    meters3_per_s = liters_per_minute / LITERS_PER_M3 / SECONDS_PER_MINUTE
    sizes = [(size, math.pi * (size.bore_millimeters / 1000) ** 2 / 4) for size in practice.pipes]
    count = max(1, math.ceil(meters3_per_s / (limit * sizes[-1][1])))
    pipe, area = next((size for size in sizes if meters3_per_s / count <= limit * size[1]), sizes[-1])
    speed = meters3_per_s / count / area
    roughness = practice.pipe_roughness_millimeters / pipe.bore_millimeters
    lost = _friction_kpa(speed, pipe.bore_millimeters / 1000, roughness, coolant, run_meters)
    return PipeHeader(pipe.name, count, round(speed, 2), round(run_meters, 1), lost)


def _friction_kpa(speed: float, bore: float, roughness: float, coolant: Coolant, run_meters: float) -> float | None:
    if coolant.viscosity_mpa_s is None:
        return None
    reynolds = coolant.density_kg_per_m3 * speed * bore / (coolant.viscosity_mpa_s / 1000)
    if not reynolds:
        return 0.0
    turbulent = 0.25 / math.log10(roughness / 3.7 + 5.74 / reynolds**0.9) ** 2
    factor = 64 / reynolds if reynolds < LAMINAR_REYNOLDS else turbulent
    return round(factor * run_meters / bore * coolant.density_kg_per_m3 * speed**2 / 2 / 1000, 1)
