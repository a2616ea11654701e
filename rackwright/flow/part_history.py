"""Between the ledger and the gate: what is known of the parts of the nodes of a run, and what the run adds to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rackwright import compare, gate, judge
from rackwright.flow.job import Job
from rackwright.gate.rejoin import ANY, COUNTED
from rackwright.model.check import Limits, NodeEvidence
from rackwright.model.gate import Decision
from rackwright.model.repair import PartEvent, RepairRule, Retest
from rackwright.model.verdict import Verdict


def history(job: Job, seen: Mapping[str, NodeEvidence]) -> gate.RepairState:
    """What the gate looks at for the candidates of `job`."""
    parts = {node: gate.node_parts(seen[node]) if node in seen else [] for node in job.candidates}
    known = job.ledger.part_events(job.run)
    return gate.RepairState(parts, known, rules(judge.load_limits()), retests(judge.load_limits(), known), dated(seen))


def dated(seen: Mapping[str, NodeEvidence]) -> dict[str, dict[str, str]]:
    """By node and check: when the record that the check reads was taken."""
    checks = judge.load_checks()
    return {
        node: {name: at for name, check in checks.items() if (at := one.dated.get(check.reads))}
        for node, one in seen.items()
    }


def rules(limits: Limits) -> list[RepairRule]:
    """The repair policy of ``validators/limits/repair.yaml``; an action without both rows has no rule of its own."""
    found = []
    for action in (ANY, *COUNTED):
        most, hours = limits.find("repair.most", action=action), limits.find("repair.window_hours", action=action)
        if most is not None and hours is not None:
            assert isinstance(most.value, int | float)
            assert isinstance(hours.value, int | float)
            source = f"{most.source}, {most.date}"
            found.append(RepairRule(action=action, most=float(most.value), hours=float(hours.value), source=source))
    return found


def retests(limits: Limits, known: Iterable[PartEvent]) -> list[Retest]:
    """The policy for every kind of repair in `known`; one without a row has none."""
    found = []
    for action, part in sorted({(one.action, one.kind) for one in known if one.what == "repaired"}):
        row = limits.find("repair.retest", action=action, part=part)
        if row is not None:
            found.append(
                Retest(action=action, part=part, checks=compare.words(row), source=f"{row.source}, {row.date}")
            )
    return found


def remember(
    job: Job,
    known: gate.RepairState,
    found: Sequence[Verdict],
    decisions: Iterable[Decision],
    taken: Mapping[str, str],
) -> None:
    """Write down where parts are, what failed, and what passed again."""
    job.ledger.sight_parts(job.run, [part for members in known.parts.values() for part in members], job.now())
    job.ledger.record_parts(job.run, gate.repair_events(found, decisions, known, taken))
