"""How old a reading may be."""

from __future__ import annotations

from datetime import datetime, timedelta

from rackwright.base.errors import Problem, ProblemsError
from rackwright.model.check import Limits
from rackwright.model.site import Site

METRIC = "policy.evidence_hours"


def oldest(site: Site, limits: Limits, as_of: datetime) -> datetime:
    """What was read before this moment is too old to be judged: ``acceptance.evidence_hours`` of the site, else the policy.

    ProblemsError when neither says it.
    """
    row = limits.find(METRIC)
    hours = site.acceptance.evidence_hours or (row.value if row is not None else None)
    if not isinstance(hours, int | float):
        place, step = "validators/limits", "add the row, or set acceptance.evidence_hours in the site file"
        raise ProblemsError(
            [Problem(place, METRIC, "no limit", "a number of hours", repr(hours), step, "limits.evidence_age")]
        )
    return as_of - timedelta(hours=hours)
