"""Findings of the engine itself: nothing was read, a check crashed, or a fleet check left a node out.

None of them is a pass: a missing reading is `not_run`, a failed collector and a crash are `inconclusive`.
"""

from __future__ import annotations

from collections.abc import Mapping

from rackwright.model.check import AnyCheck, NodeEvidence
from rackwright.model.records import reading_name
from rackwright.model.verdict import Finding, Outcome


def crash_finding(node: str, name: str, error: Exception) -> Finding:
    """The finding of a node for which a check crashed."""
    kind = type(error).__name__
    says = f"{node}: check {name} crashed, {kind}: {error}"
    return Finding(outcome=Outcome.INCONCLUSIVE, observed=kind, expected="a finding", source="", says=says)


def silent_finding(node: str, name: str) -> Finding:
    """The finding of a node that a fleet check left out."""
    says = f"{node}: check {name} compared the nodes and has no result for this one"
    return Finding(outcome=Outcome.INCONCLUSIVE, observed="nothing", expected="a finding", source="", says=says)


def missing_finding(node: str, check: AnyCheck, evidence: NodeEvidence | None, record_names: set[str]) -> Finding:
    """Why there is nothing to judge: a collector failed (inconclusive), or the reading was never taken (not_run)."""
    kind = reading_name(check.reads)
    kinds = {kind, *getattr(check.reads, "joined_from", ())}
    errors = {}
    if evidence is not None:
        errors = {
            name: why for name, why in evidence.errors.items() if _owes_record(evidence, name, kinds, record_names)
        }
    if errors:
        outcome, says = Outcome.INCONCLUSIVE, f"{node}: no {kind} reading: {_causes(errors)}"
    else:
        outcome, says = Outcome.NOT_RUN, f"{node}: no {kind} reading was taken"
    return Finding(outcome=outcome, observed="no reading", expected=f"a reading of {kind}", source="", says=says)


def _causes(errors: Mapping[str, str]) -> str:
    """What went wrong; collectors are named only when their errors differ."""
    if len(set(errors.values())) == 1:
        return next(iter(errors.values()))
    return "; ".join(f"{name}: {error}" for name, error in sorted(errors.items()))


def _owes_record(evidence: NodeEvidence, collector: str, kinds: set[str], record_names: set[str]) -> bool:
    """Whether a collector owes a record of `kinds`: the evidence says so, it has its name, or the name of no record."""
    if collector in evidence.owes:
        return evidence.owes[collector] in kinds
    owners = {name for name in record_names if name.lower().endswith(collector.replace("_", ""))}
    return bool(kinds & owners) or not owners
