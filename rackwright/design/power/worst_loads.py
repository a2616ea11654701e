"""The highest load of feeds and busways after any declared loss."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from rackwright.design.power.capacity import Floats
from rackwright.design.power.grid import RackKind
from rackwright.design.power.rack_losses import circuit_cases, supply_cases
from rackwright.design.power.survey import Survey

IN_A_RACK = "PDUs or supplies of one rack"


def worst_feeds(survey: Survey) -> tuple[Floats, list[str]]:
    """Highest watts of every feed, and the loss that causes it."""
    shift = np.array([_feed_shift(survey, kind) for kind in survey.grid.kinds]).reshape(-1, len(survey.grid.feeds))
    extra = shift.max(axis=0, initial=0.0)
    return _highest_loads(survey, [after.feeds for after in survey.feed_losses], survey.undisturbed.feeds + extra)


def worst_busways(survey: Survey) -> tuple[Floats, list[str]]:
    """Highest watts of every busway (rows x feeds), and the loss that causes it, row by row."""
    grid = survey.grid
    shift = np.array([_feed_shift(survey, kind) for kind in grid.kinds]).reshape(-1, len(grid.feeds))
    extra = np.zeros_like(survey.undisturbed.busways)
    np.maximum.at(extra, grid.row, shift[grid.kind])
    return _highest_loads(survey, [after.busways for after in survey.feed_losses], survey.undisturbed.busways + extra)


def _highest_loads(survey: Survey, loads: Sequence[Floats], inside: Floats) -> tuple[Floats, list[str]]:
    stacked = np.stack([*loads, inside])
    at = stacked.argmax(axis=0)
    what = [*(survey.loss_text(after) for after in survey.feed_losses), IN_A_RACK]
    return stacked.max(axis=0), [what[index] for index in at.ravel()]


def _feed_shift(survey: Survey, kind: RackKind) -> Floats:
    """Watts by which a declared loss inside one rack can raise each feed."""
    block, feeds, survive = kind.block, len(survey.grid.feeds), survey.power.survive
    before = block.feeds(block.phases(block.draws(np.zeros(len(block.group), dtype=bool))), feeds)
    most = np.zeros(feeds)
    for case in chain(circuit_cases(block, survive.pdus), supply_cases(block, survive.psus)):
        after = block.feeds(block.phases(block.draws(case.lost)), feeds)
        most = np.maximum(most, after - before)
    return most
