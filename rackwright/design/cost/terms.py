"""The arithmetic of total cost: power into money, purchases into payments.

Pure; knows no site and no design.
"""

from __future__ import annotations

import math

HOURS_PER_YEAR = 8766.0
"""365.25 days."""
MONTHS = 12
WATTS_PER_KW = 1000.0


def energy_kwh_per_year(draw_watts: float, utilization: float, pue: float) -> float:
    """Energy from the grid in a year: design draw x utilization x PUE x 8,766 h."""
    return draw_watts / WATTS_PER_KW * utilization * pue * HOURS_PER_YEAR


def paid(price: float, life_years: float, years: float, interest: float) -> float:
    """What a purchase costs in the first `years` of `life_years`.

    Without interest its share of the price (straight line); with interest the monthly payments of an annuity,
    price x i / (1 - (1 + i)^-n) with i = interest / 12 and n = 12 x life. Source: the model of Barroso, Hölzle and
    Ranganathan, The Datacenter as a Computer, chapter on cost.
    """
    term = min(years, life_years)
    monthly = interest / MONTHS
    written_off = -math.expm1(-MONTHS * life_years * math.log1p(monthly))
    if written_off == 0:
        return price * term / life_years
    return price * (monthly / written_off) * MONTHS * term
