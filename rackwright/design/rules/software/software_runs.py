"""The versions of every pool run together and on its hardware."""

from __future__ import annotations

from rackwright.design.rules.rule import DesignRule, Judged
from rackwright.design.rules.software.bills import findings
from rackwright.model.design import Design
from rackwright.model.verdict import Outcome


def judge(design: Design) -> Judged:
    """Per pool with accelerators."""
    yield from findings(design, "runs", Outcome.FAIL)


RULE = DesignRule("software_runs", "Software bills run", judge)
