"""How evenly the phases of the feeds are loaded."""

from __future__ import annotations

import numpy as np
import polars as pl

from rackwright.design.power.capacity import PHASES, Floats
from rackwright.design.power.survey import Survey
from rackwright.model.design import Design


def phase_watts(design: Design) -> dict[str, Floats]:
    """Load of the three phases of every feed, everything alive."""
    columns = [f"l{number + 1}_watts" for number in range(PHASES)]
    sums = design.circuits.group_by("feed").agg(pl.sum(*columns))
    watts_by_feed = {row[0]: np.array(row[1:], dtype=np.float64) for row in sums.select("feed", *columns).iter_rows()}
    return {feed: watts_by_feed.get(feed, np.zeros(PHASES)) for feed in design.site.facility.power.feeds}


def imbalance(phases: Floats) -> float:
    """Largest deviation of a phase from the mean of the three, over that mean; 0 without load."""
    mean = float(phases.mean())
    return float(np.abs(phases - mean).max()) / mean if mean > 0 else 0.0


def largest_draw(survey: Survey) -> float:
    """The highest watts of a single supply with everything alive: phases cannot be more even than that."""
    blocks = (kind.block for kind in survey.grid.kinds)
    return max(
        (float(block.draws(np.zeros(len(block.group), dtype=bool)).max(initial=0.0)) for block in blocks), default=0.0
    )
