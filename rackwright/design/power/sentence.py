"""One sentence about a loss: what goes down and why, or what carries on and how near it is to its limit."""

from __future__ import annotations

import numpy as np

from rackwright.design.power.cases import listed
from rackwright.design.power.contingencies import Trial
from rackwright.design.power.outage import Aftermath, feed_limit
from rackwright.design.power.survey import Survey

WORDS = {
    "feed": "feed",
    "ups": "UPS",
    "busway": "busway",
    "circuit": "circuit",
    "pdu": "PDU",
    "shelf": "power shelf",
    "psu": "power supply",
}


def sentence(survey: Survey, trial: Trial, after: Aftermath) -> str:
    """``Losing feed A: everything keeps running; feed B carries most, 172.2 of 400.0 kW.``"""
    what = f"Losing {listed(WORDS[trial.kind], trial.name.split('+'))}".replace("supplys", "supplies")
    over = _overloaded(survey, after)
    down = _down(survey, after)
    if down:
        return f"{what} takes down {'; '.join([down, *over])}."
    if over:
        return f"{what}: nothing goes down at once, but {'; '.join(over)}."
    return f"{what}: everything keeps running; {_fullest(survey, after)}."


def _down(survey: Survey, after: Aftermath) -> str:
    """What goes down, and why the first of it does."""
    grid = survey.grid
    devices = after.count(grid, "members")
    if not devices:
        return ""
    nodes, accelerators = after.count(grid, "nodes"), after.count(grid, "accelerators")
    counts = f"{_many(nodes, 'node')} with {_many(accelerators, 'accelerator')}"
    counts += f" and {_many(devices - nodes, 'other device')}" if devices > nodes else ""
    hit = np.array([bool(one.down.any()) for one in after.cases])[after.case]
    rack = int(np.flatnonzero(hit)[0])
    case = after.cases[int(after.case[rack])]
    block = grid.kinds[case.kind].block
    group = int(np.flatnonzero(case.down)[0])
    mine = block.group == group
    good = case.good & mine
    why = f"{int(good.sum())} of {int(mine.sum())} supplies, {int(block.watts[good].sum())} W for {block.load[group]:.0f} W"
    return f"{counts} ({grid.device(rack, group)} can count on {why})"


def _overloaded(survey: Survey, after: Aftermath) -> list[str]:
    grid = survey.grid
    found = [
        f"feed {grid.feeds[at]} has to carry {after.feeds[at] / 1000:.1f} of"
        f" {feed_limit(survey.limits, after.outage, int(at)) / 1000:.1f} kW"
        for at in np.flatnonzero(after.over_feeds)
    ]
    ways = int(after.over_busways.sum())
    circuits = int(np.array([int(one.overloaded.sum()) for one in after.cases], dtype=np.int64)[after.case].sum())
    found += [f"{_many(ways, 'busway')} overloaded"] if ways else []
    return found + ([f"{_many(circuits, 'circuit')} overloaded"] if circuits else [])


def _fullest(survey: Survey, after: Aftermath) -> str:
    left = [feed for feed in range(len(after.feeds)) if feed not in after.outage.feeds]
    limit = {feed: feed_limit(survey.limits, after.outage, feed) for feed in left}
    if not left:
        return "nothing is fed"
    at = max(left, key=lambda feed: float(after.feeds[feed]) / limit[feed])
    return f"feed {survey.grid.feeds[at]} carries most, {after.feeds[at] / 1000:.1f} of {limit[at] / 1000:.1f} kW"


def _many(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
