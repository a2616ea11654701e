"""The parts of a fleet put together: what its nodes are beside each other, and the tally of all.

In: expectations, the parts that their nodes gave, checks. Out: a `Tally`. Verdicts are made one by one when they are asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rackwright.judge.parts import Part, Row
from rackwright.judge.reuse import named
from rackwright.judge.run import crashed, silent, verdict
from rackwright.model.check import AnyCheck, Expectation, FleetCheck
from rackwright.model.verdict import Finding, Outcome, Verdict


@dataclass(frozen=True)
class Tally:
    """What a fleet was judged."""

    counts: Counter[Outcome]
    nodes: int
    rows: Sequence[Row]
    checks: Mapping[str, AnyCheck]

    @property
    def verdicts(self) -> Iterator[Verdict]:
        """Those that are no pass, in the order of `run`."""
        for node, name, said, raw in self.rows:
            yield verdict(name, self.checks[name], node, named(said, node), raw)


def joined(expected: Sequence[Expectation], parts: Sequence[Part], checks: Mapping[str, AnyCheck]) -> Tally:
    """The tally of all nodes of `expected`, whose `parts` come in the same order."""
    whole = Part()
    for one in parts:
        whole.counts.update(one.counts)
        whole.rows += one.rows
    days = {node: day for one in parts for node, day in one.as_of.items()}
    by_name = {one.node.name: replace(one, as_of=days.get(one.node.name, one.as_of)) for one in expected}
    for name, check in checks.items():
        if isinstance(check, FleetCheck):
            taken = [row for one in parts for row in one.taken.get(name, ())]
            failure = next((one.failures[name] for one in parts if name in one.failures), None)
            said = _compared(name, check, [(by_name[node], value) for node, value, _ in taken], failure)
            for node, _, raw in taken:
                whole.add(node, name, said.get(node) or silent(node, name), raw)
    order = {name: place for place, name in enumerate(by_name)}
    whole.rows.sort(key=lambda row: (order[row[0]], row[1]))
    return Tally(whole.counts, len(expected), whole.rows, checks)


def _compared(
    name: str, check: FleetCheck[Any], peers: Sequence[tuple[Expectation, Any]], failure: Exception | None
) -> Mapping[str, Finding]:
    if failure is None:
        try:
            return check.judge(peers)
        except Exception as error:  # noqa: BLE001 - a crash of a check is a verdict, never a way past the gate
            failure = error
    return {one.node.name: crashed(one.node.name, name, failure) for one, _ in peers}
