"""What if this is lost? One element of the power tree, or several at once, and what that does to the site."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rackwright.design.power import names
from rackwright.design.power.block import Flags
from rackwright.design.power.contingencies import Trial
from rackwright.design.power.find import FIND
from rackwright.design.power.outage import Aftermath
from rackwright.design.power.sentence import sentence
from rackwright.design.power.survey import Survey, survey
from rackwright.model.design import Design


@dataclass(frozen=True)
class LossResult:
    """What a loss leaves."""

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
    """Share of its supply watts that is left to the device that is hurt most."""
    loads: dict[str, float]
    """Watts of every feed, UPS module, busway and circuit that is left."""


def lose(design: Design, kind: str, name: str) -> LossResult:
    """What the loss of an element leaves: kind is feed, ups, busway, circuit, pdu, shelf or psu.

    Names are those of the tables (``power``, ``circuits``); several of one kind are joined by ``+`` (``A+B``), those of
    racks only within one rack; a supply is ``train-001-psu1``. Raises `KeyError` for an unknown kind or name.
    """
    whole = survey(design)
    parts = name.split("+")
    if kind not in FIND:
        raise KeyError(kind)
    trial = Trial(kind, name, FIND[kind](whole, parts), must=False)
    after = whole.after(trial.outage)
    return LossResult(
        kind=kind,
        name=name,
        says=sentence(whole, trial, after),
        survives=after.survives,
        devices_down=_down(whole, after),
        nodes_down=after.count(whole.grid, "nodes"),
        accelerators_down=after.count(whole.grid, "accelerators"),
        remaining_share=after.share(whole.grid),
        loads=_loads(whole, after, set(parts)),
    )


def _down(whole: Survey, after: Aftermath) -> list[str]:
    grid = whole.grid
    rows: list[int] = []
    for rack in np.flatnonzero(np.array([bool(one.down.any()) for one in after.cases])[after.case]):
        down = after.cases[int(after.case[rack])].down
        first = int(grid.first_device[rack])
        devices = np.arange(first, int(grid.first_device[rack + 1]))
        rows += devices[down[grid.group[devices] - first]].tolist()
    return [str(grid.devices[row]) for row in rows]


def _loads(whole: Survey, after: Aftermath, lost: set[str]) -> dict[str, float]:
    """Feeds, UPS modules, busways, then circuits, rack by rack; nothing that is out."""
    grid, out = whole.grid, after.outage
    loads: dict[str, float] = {}
    left = {at: feed for at, feed in enumerate(grid.feeds) if at not in out.feeds}
    loads |= {feed: float(after.feeds[at]) for at, feed in left.items()}
    for at, feed in left.items():
        gone, modules = out.ups.get(at, 0), whole.limits.modules
        share = float(after.feeds[at]) / max(1, modules - gone)
        called = [names.ups(feed, number + 1) for number in range(modules)]
        loads |= {module: share for module in called if module not in lost}
    if whole.power.busway:
        ways = [(row, at) for row in range(len(grid.rows)) for at in left if (row, at) not in out.busways]
        loads |= {names.busway(*grid.rows[row], left[at]): float(after.busways[row, at]) for row, at in ways}
    carried = [after.cases[case].phases.sum(axis=1) for case in after.case.tolist()]
    dead = [_dead(whole, after, rack) for rack in range(len(grid.racks))]
    watts, gone_too = np.concatenate([*carried, np.zeros(0)]), np.concatenate([*dead, np.zeros(0, dtype=bool)])
    for name, load, lost in zip(grid.circuits, watts.tolist(), gone_too.tolist(), strict=True):
        if not lost:
            loads[name] = load
    return loads


def _dead(whole: Survey, after: Aftermath, rack: int) -> Flags:
    """Circuits of a rack that are out."""
    grid, out = whole.grid, after.outage
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
