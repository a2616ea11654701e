"""One sentence about a loss: what goes down and why, or what carries on and how near it is to its limit."""

from __future__ import annotations

import numpy as np

from rackwright.design.power.contingencies import Contingency
from rackwright.design.power.outage import Aftermath, feed_limit
from rackwright.design.power.rack_losses import list_names
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


def describe_loss(survey: Survey, trial: Contingency, after: Aftermath) -> str:
    """``Losing feed A: everything keeps running; feed B carries most, 172.2 of 400.0 kW.``"""
    what = f"Losing {list_names(WORDS[trial.kind], trial.name.split('+'))}".replace("supplys", "supplies")
    over = _overloaded(survey, after)
    down = _down_sentence(survey, after)
    if down:
        return f"{what} takes down {'; '.join([down, *over])}."
    if over:
        return f"{what}: nothing goes down at once, but {'; '.join(over)}."
    capped = _capped_nodes(survey, after)
    under = f", {_plural(capped, 'node')} of it under {'its' if capped == 1 else 'their'} cap" if capped else ""
    return f"{what}: everything keeps running{under}; {_fullest_circuit(survey, after)}."


def _down_sentence(survey: Survey, after: Aftermath) -> str:
    """What goes down, and why the first of it does."""
    grid = survey.grid
    devices = after.count(grid, "members")
    if not devices:
        return ""
    nodes, accelerators = after.count(grid, "nodes"), after.count(grid, "accelerators")
    counts = f"{_plural(nodes, 'node')} with {_plural(accelerators, 'accelerator')}"
    counts += f" and {_plural(devices - nodes, 'other device')}" if devices > nodes else ""
    hit = np.array([bool(outcome.down.any()) for outcome in after.outcomes])[after.outcome]
    rack = int(np.flatnonzero(hit)[0])
    case = after.outcomes[int(after.outcome[rack])]
    block = grid.kinds[case.kind].block
    group = int(np.flatnonzero(case.down)[0])
    of_group = block.group == group
    good = case.good & of_group
    why = f"{int(good.sum())} of {int(of_group.sum())} supplies, {int(block.watts[good].sum())} W for {block.loads(~case.good)[group]:.0f} W"
    return f"{counts} ({grid.device(rack, group)} can count on {why})"


def _capped_nodes(survey: Survey, after: Aftermath) -> int:
    """Nodes that draw no more than their cap, because one of their supplies is out."""
    counts = []
    for outcome in after.outcomes:
        kind = survey.grid.kinds[outcome.kind]
        block = kind.block
        counts.append(int(kind.nodes[block.hit(~outcome.good) & (block.capped_load < block.load)].sum()))
    return int(np.array(counts, dtype=np.int64)[after.outcome].sum())


def _overloaded(survey: Survey, after: Aftermath) -> list[str]:
    grid = survey.grid
    phrases = [
        f"feed {grid.feeds[at]} has to carry {after.feeds[at] / 1000:.1f} of"
        f" {feed_limit(survey.limits, after.outage, int(at)) / 1000:.1f} kW"
        for at in np.flatnonzero(after.over_feeds)
    ]
    ways = int(after.over_busways.sum())
    circuits = int(
        np.array([int(outcome.overloaded.sum()) for outcome in after.outcomes], dtype=np.int64)[after.outcome].sum()
    )
    phrases += [f"{_plural(ways, 'busway')} overloaded"] if ways else []
    return phrases + ([f"{_plural(circuits, 'circuit')} overloaded"] if circuits else [])


def _fullest_circuit(survey: Survey, after: Aftermath) -> str:
    alive = [feed for feed in range(len(after.feeds)) if feed not in after.outage.feeds]
    limit = {feed: feed_limit(survey.limits, after.outage, feed) for feed in alive}
    if not alive:
        return "nothing is fed"
    at = max(alive, key=lambda feed: float(after.feeds[feed]) / limit[feed])
    return f"feed {survey.grid.feeds[at]} carries most, {after.feeds[at] / 1000:.1f} of {limit[at] / 1000:.1f} kW"


def _plural(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"
