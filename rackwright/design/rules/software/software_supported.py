"""The vendors still maintain the versions of every pool; an unmaintained version runs, and is degraded."""

from __future__ import annotations

from rackwright.design.rules.rule import DesignRule, Judged
from rackwright.design.rules.software.bills import findings
from rackwright.model.design import Design
from rackwright.model.verdict import Outcome


def judge(design: Design) -> Judged:
    """Per pool with accelerators."""
    yield from findings(design, "supported", Outcome.DEGRADED)


RULE = DesignRule("software_supported", "Software bills are supported", judge)
