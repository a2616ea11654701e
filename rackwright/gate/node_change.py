"""Evidence that was taken of another state of a node than the one that is there now: it is evidence of another node."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rackwright.model.check import NodeEvidence
from rackwright.model.gate import Hold
from rackwright.model.node_state import Circumstances, changes, state_of
from rackwright.model.records import reading_name
from rackwright.model.times import minute_text, parse_time

RULE = "evidence.state"
AGAIN = {"state": "collect again", "load": "burn in again", "group": "test again, with the nodes of its group"}
"""What to do about readings, by the purpose of their run."""
MAX_NAMES = 3
"""Readings that are named; the rest are counted."""


def other_state(evidence: NodeEvidence, design: str) -> str:
    """What the node is no longer as it was when readings were taken that count; empty if nothing changed.

    `design` is the hash of what the design says of the node now.
    """
    return "; ".join(
        f"{_readings(evidence, at)} of {minute_text(parse_time(at))} speak of another state of the node: {', '.join(changed)}: "
        f"{AGAIN.get(circumstances.purpose, AGAIN['state'])}"
        for at, circumstances in sorted(evidence.circumstances.items())
        if at in evidence.dated.values() and (changed := [*_changed_facts(evidence, circumstances, design)])
    )


def state_holds(changed: Mapping[str, str], nodes: Sequence[str]) -> list[Hold]:
    """One hold per node of `nodes` in `changed`, which has `other_state` by node."""
    return [Hold(node=node, rule=RULE, says=changed[node]) for node in nodes if changed.get(node)]


def _changed_facts(evidence: NodeEvidence, circumstances: Circumstances, design: str) -> Iterator[str]:
    if circumstances.design and circumstances.design != design:
        yield "the design of the node was changed since"
    if circumstances.state is not None:
        yield from changes(circumstances.state, state_of(evidence.records))


def _readings(evidence: NodeEvidence, at: str) -> str:
    names = sorted(reading_name(kind) for kind, time in evidence.dated.items() if time == at)
    more = f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else ""
    return f"{', '.join(names[:MAX_NAMES])}{more}"
