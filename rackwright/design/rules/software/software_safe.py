"""The versions of every pool have no known vulnerability; a vulnerable version runs, and is degraded."""

from __future__ import annotations

from rackwright.design.rules.rule import DesignRule, Judged
from rackwright.design.rules.software.bills import findings
from rackwright.model.design import Design
from rackwright.model.verdict import Outcome


def judge(design: Design) -> Judged:
    """Per pool with accelerators."""
    yield from findings(design, "safe", Outcome.DEGRADED)


RULE = DesignRule("software_safe", "Software bills are safe", judge)
