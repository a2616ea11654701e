"""The capacity of a CDU at the temperatures of a site."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rackwright.catalog import water_classes
from rackwright.model.facility import Liquid
from rackwright.model.plant import Capacity


def approach_kelvin(liquid: Liquid) -> float:
    """Coolant supply minus facility-water supply; that of design practice where no facility water is declared.

    Then the approach is an assumption, which the facility_water rule reports (``water_classes.yaml``, practice).
    """
    if liquid.facility_water is None:
        return water_classes.load().practice.cdu_approach_kelvin
    return liquid.supply_celsius - liquid.facility_water.supply_celsius


def capacity_watts(capacities: Sequence[Capacity], approach: float) -> float:
    """Watts at `approach` kelvin.

    Linear between two stated approaches. Below the smallest one straight to zero: at given flows the heat over a heat
    exchanger is proportional to the difference of its inlet temperatures (Incropera, Fundamentals of Heat and Mass
    Transfer, effectiveness-NTU method). Above the largest stated approach nothing is added: pumps and valves end there.
    """
    points = sorted((point.approach_kelvin, point.kw * 1000) for point in capacities)
    if approach >= points[-1][0]:
        return points[-1][1]
    for (low, less), (high, more) in pairwise([(0.0, 0.0), *points]):
        if low <= approach < high:
            return less + (more - less) * (approach - low) / (high - low)
    return 0.0
