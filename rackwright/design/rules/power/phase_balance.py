"""The phases of every feed are loaded evenly, and no line of a circuit is overloaded after a declared loss."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rackwright.catalog import power_practice
from rackwright.design.power.block import TENTH
from rackwright.design.power.capacity import PHASES, line_watts
from rackwright.design.power.grid import RackKind
from rackwright.design.power.phase_balance import imbalance, largest_draw, phase_watts
from rackwright.design.power.rack_losses import rack_losses, while_lost
from rackwright.design.power.survey import Survey, survey_power
from rackwright.design.rules.rule import DesignRule, Judged, finding
from rackwright.model.design import Design
from rackwright.model.verdict import Finding, Outcome


def judge(design: Design) -> Judged:
    """Per feed its imbalance, then per kind of rack the line that is loaded most."""
    yield from _feeds(design)
    survey = survey_power(design)
    if design.site.facility.power.circuit.phases != PHASES:
        return
    for kind in survey.grid.kinds:
        if len(kind.block.usable):
            yield survey.grid.racks[kind.racks[0]], _rack(survey, kind)


def _feeds(design: Design) -> Iterator[tuple[str, Finding]]:
    """Degraded where a feed is less even than practice allows and a single supply is less than the difference."""
    practice, loads, largest = power_practice.load(), phase_watts(design), largest_draw(survey_power(design))
    allowed = practice.phase_imbalance_share
    for feed, phases in loads.items():
        share, apart = imbalance(phases), float(phases.max() - phases.min())
        even = share <= allowed or apart <= largest + TENTH
        observed = f"{' / '.join(f'{watts / 1000:.1f}' for watts in phases)} kW, {share:.1%} off their mean"
        expected = f"at most {allowed:.0%}, or {largest / 1000:.1f} kW, the draw of one supply, between two phases"
        source = practice.source("phase_imbalance_share")
        step = "" if even else "turn the taps of some racks to the phase that carries least"
        says = f"Phases of feed {feed}: {observed}; expected {expected} ({source})."
        outcome = Outcome.PASS if even else Outcome.DEGRADED
        yield (
            feed,
            Finding(outcome=outcome, observed=observed, expected=expected, source=source, says=says, next_step=step),
        )


def _rack(survey: Survey, kind: RackKind) -> Finding:
    block, called = kind.block, survey.grid.rack_circuits(kind.racks[0])
    share, name, watts, limit, what = -1.0, "", 0.0, 0.0, ""
    for case in rack_losses(block, len(survey.grid.feeds), survey.power.survive):
        carried = line_watts(block.phases(block.draws(case.lost)), block.lines).max(axis=1)
        at = int(np.argmax(carried / block.usable))
        if carried[at] * PHASES / block.usable[at] > share:
            watts, limit = float(carried[at]), float(block.usable[at]) / PHASES
            share, name, what = watts / limit, called[at], case.text(survey.grid.feeds, called)
    observed = f"{watts / 1000:.1f} kW on the fullest line of {name} {while_lost(what)}"
    expected = f"at most a third of the circuit, {limit / 1000:.1f} kW"
    step = "take a larger facility.power.circuit, or a number of supplies per circuit that three divides"
    says = f"{survey.rack_text(kind)}: {observed}"
    return finding(watts <= limit + TENTH, observed, expected, "site facility.power.circuit", says, step)


RULE = DesignRule("phase_balance", "Phases are loaded evenly", judge)
