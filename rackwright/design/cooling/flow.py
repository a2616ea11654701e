"""The coolant and air flow for a heat load: ``Q = rho * V * cp * dT``, solved for the flow ``V``."""

from __future__ import annotations

from dataclasses import dataclass

from rackwright.catalog import Catalog, hall_practice
from rackwright.model.facility import Air
from rackwright.model.site import Site

SECONDS_PER_MINUTE = 60
LITERS_PER_M3 = 1000
METERS_PER_FOOT = 0.3048
DEFAULT_AIR_RISE_KELVIN: float = Air.model_fields["delta_t_kelvin"].default
"""Rise through servers without an airflow of their own in sites that declare no air plant: that of the site schema."""


@dataclass(frozen=True)
class Media:
    """Flow per watt of heat at the temperature rises of a site."""

    liters_per_minute_per_watt: float
    """0 where the site declares no liquid cooling."""
    cfm_per_watt: float


def media(site: Site, catalog: Catalog) -> Media:
    """Coolant and air of `site`; a coolant that the catalog lacks needs no flow here, since `spec` refuses the site."""
    liquid, air = site.facility.liquid, site.facility.air
    coolant = catalog.coolants.get(liquid.coolant) if liquid else None
    liters = 0.0
    if liquid and coolant:
        liters = liters_per_minute(
            1.0, coolant.density_kg_per_m3, coolant.heat_capacity_j_per_kg_k, liquid.delta_t_kelvin
        )
    return Media(liters, cubic_feet_per_minute(1.0, air.delta_t_kelvin if air else DEFAULT_AIR_RISE_KELVIN))


def liters_per_minute(watts: float, density: float, heat_capacity: float, rise: float) -> float:
    """Flow of a liquid (kg/m3, J/(kg K)) that absorbs `watts` while it warms by `rise` kelvin."""
    return watts / (density * heat_capacity * rise) * LITERS_PER_M3 * SECONDS_PER_MINUTE


def cubic_feet_per_minute(watts: float, rise: float) -> float:
    """Flow of air that absorbs `watts` while it warms by `rise` kelvin; air as in ``hall_practice.yaml``."""
    air = hall_practice.load().air
    meters3_per_second = watts / (air.density_kg_per_m3 * air.heat_capacity_j_per_kg_k * rise)
    return meters3_per_second * SECONDS_PER_MINUTE / METERS_PER_FOOT**3
