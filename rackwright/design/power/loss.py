"""What-if for the power tree: lose one element, or several at once, and see what that does to the site."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rackwright.design.power import names
from rackwright.design.power.block import Flags
from rackwright.design.power.contingencies import Contingency
from rackwright.design.power.elements import OUTAGES
from rackwright.design.power.loss_sentence import describe_loss
from rackwright.design.power.outage import Aftermath
from rackwright.design.power.survey import Survey, survey_power
from rackwright.model.design import Design


@dataclass(frozen=True)
class PowerLossResult:
    """The state of the site after a loss."""

    kind: str
    name: str
    says: str
    """One sentence, with its full stop."""
    survives: bool
    """Everything keeps running and nothing is overloaded."""
    devices_down: list[str]
    nodes_down: int
    accelerators_down: int
    remaining_share: float
    """Remaining share of the supply watts of the device that is hit hardest."""
    loads: dict[str, float]
    """Watts of every remaining feed, UPS module, busway and circuit."""


def simulate_loss(design: Design, kind: str, name: str) -> PowerLossResult:
    """The result of losing an element of kind feed, ups, busway, circuit, pdu, shelf or psu.

    Names are those of the tables (``power``, ``circuits``). Several of one kind are joined by ``+`` (``A+B``); elements inside racks
    only within one rack. A supply is ``train-001-psu1``. Raises `KeyError` for an unknown kind or name.
    """
    survey = survey_power(design)
    parts = name.split("+")
    if kind not in OUTAGES:
        raise KeyError(kind)
    trial = Contingency(kind, name, OUTAGES[kind](survey, parts), must=False)
    after = survey.after(trial.outage)
    return PowerLossResult(
        kind=kind,
        name=name,
        says=describe_loss(survey, trial, after),
        survives=after.survives,
        devices_down=survey.devices_down(after),
        nodes_down=after.count(survey.grid, "nodes"),
        accelerators_down=after.count(survey.grid, "accelerators"),
        remaining_share=after.share(survey.grid),
        loads=_loads(survey, after, set(parts)),
    )


def _loads(survey: Survey, after: Aftermath, lost: set[str]) -> dict[str, float]:
    """Feeds, UPS modules, busways, then circuits, rack by rack, without elements that are out."""
    grid, out = survey.grid, after.outage
    loads: dict[str, float] = {}
    alive = {at: feed for at, feed in enumerate(grid.feeds) if at not in out.feeds}
    loads |= {feed: float(after.feeds[at]) for at, feed in alive.items()}
    for at, feed in alive.items():
        lost_modules, modules = out.ups.get(at, 0), survey.limits.modules
        share = float(after.feeds[at]) / max(1, modules - lost_modules)
        labels = [names.ups(feed, number + 1) for number in range(modules)]
        loads |= {module: share for module in labels if module not in lost}
    if survey.power.busway:
        ways = [(row, at) for row in range(len(grid.rows)) for at in alive if (row, at) not in out.busways]
        loads |= {names.busway(*grid.rows[row], alive[at]): float(after.busways[row, at]) for row, at in ways}
    carried = [after.outcomes[case].phases.sum(axis=1) for case in after.outcome.tolist()]
    dead = [_dead_circuits(survey, after, rack) for rack in range(len(grid.racks))]
    watts, out_of_service = np.concatenate([*carried, np.zeros(0)]), np.concatenate([*dead, np.zeros(0, dtype=bool)])
    for name, load, lost in zip(grid.circuits, watts.tolist(), out_of_service.tolist(), strict=True):
        if not lost:
            loads[name] = load
    return loads


def _dead_circuits(survey: Survey, after: Aftermath, rack: int) -> Flags:
    """Circuits of a rack that are out."""
    grid, out = survey.grid, after.outage
    block = grid.kinds[int(grid.kind[rack])].block
    lost = set(out.feeds) | {feed for row, feed in out.busways if row == int(grid.row[rack])}
    dead = np.isin(block.circuit_feed, sorted(lost))
    if rack == out.rack and out.supplies is not None:
        on, off = (
            np.bincount(block.circuit, minlength=len(dead)),
            np.bincount(block.circuit[out.supplies], minlength=len(dead)),
        )
        dead |= (on > 0) & (on == off)
    return dead
