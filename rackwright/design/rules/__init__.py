"""Design rules: what must hold of a design before anything is bought or plugged. Pure; one rule per file.

In: a `Design`. Out: verdicts with the five outcomes. A rule is a file with a `RULE`; `run` finds them by listing them
here. A rule that has nothing to look at is `not_run`, never a pass.
"""

from __future__ import annotations

from rackwright.design.rules import (
    address_clash,
    cable_reach,
    feed_capacity,
    port_budget,
    power_circuit,
    power_supplies,
    rack_overlap,
    rack_place,
    rack_units,
    rack_weight,
    uplink_balance,
)
from rackwright.design.rules.rule import Rule
from rackwright.model.design import Design
from rackwright.model.verdict import Outcome, Verdict

MODULES = (
    port_budget,
    uplink_balance,
    cable_reach,
    address_clash,
    rack_place,
    rack_units,
    rack_overlap,
    rack_weight,
    power_supplies,
    power_circuit,
    feed_capacity,
)


def run(design: Design) -> list[Verdict]:
    """The verdicts of every rule, in the order of the rules and then of the design."""
    return [verdict for module in MODULES for verdict in _verdicts(module.RULE, design)]


def _verdicts(rule: Rule, design: Design) -> list[Verdict]:
    found = [
        Verdict(check=f"design.{rule.name}", target=target, title=rule.title, evidence=[], **dict(finding))
        for target, finding in rule.judge(design)
    ]
    if found:
        return found
    nothing = {
        "observed": "nothing",
        "expected": rule.title,
        "source": "site",
        "says": f"{rule.title}: nothing to judge.",
    }
    name = f"design.{rule.name}"
    target = design.site.site
    return [Verdict(check=name, target=target, title=rule.title, outcome=Outcome.NOT_RUN, evidence=[], **nothing)]
