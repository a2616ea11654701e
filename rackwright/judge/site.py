"""The whole judgement: nodes, then the rack PDUs and CDUs around them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from rackwright.judge.run import crashed, unseen, verdict
from rackwright.judge.run import run as run_nodes
from rackwright.model.check import AnyCheck, Limits, NodeEvidence, PlantCheck, PlantExpectation
from rackwright.model.design import Design
from rackwright.model.equipment import equipment
from rackwright.model.verdict import Finding, Verdict


def run(
    design: Design,
    evidence: Mapping[str, NodeEvidence],
    checks: Mapping[str, AnyCheck],
    limits: Limits,
    nodes: Sequence[str] | None = None,
    baselines: Limits | None = None,
) -> list[Verdict]:
    """Judge `nodes` (by default those with evidence) as `run.run` does, then what feeds and cools them.

    A unit without evidence gets `not_run` from every check of its kind. Raises KeyError for a name that the design does not have.
    """
    known = names(design)
    own = {name: one for name, one in evidence.items() if name not in known}
    around = list(own if nodes is None else nodes)
    found = run_nodes(design, own, of_nodes(checks), limits, nodes, baselines)
    return [*found, *plant(design, around, evidence, checks, limits)]


def names(design: Design) -> frozenset[str]:
    """Everything of the plant that can be asked."""
    return frozenset(one.name for one in equipment(design))


def of_nodes(checks: Mapping[str, AnyCheck]) -> dict[str, AnyCheck]:
    """Those of `checks` that judge nodes."""
    return {name: check for name, check in checks.items() if not isinstance(check, PlantCheck)}


def plant(
    design: Design,
    nodes: Collection[str],
    evidence: Mapping[str, NodeEvidence],
    checks: Mapping[str, AnyCheck],
    limits: Limits,
) -> Iterator[Verdict]:
    """The verdicts of what stands around `nodes`, in design order, then by check id."""
    for unit, name, finding, raw in plant_rows(design, nodes, evidence, checks, limits):
        yield verdict(name, checks[name], unit, finding, raw)


def plant_rows(
    design: Design,
    nodes: Collection[str],
    evidence: Mapping[str, NodeEvidence],
    checks: Mapping[str, AnyCheck],
    limits: Limits,
) -> Iterator[tuple[str, str, Finding, str | None]]:
    """Unit, check, what it says, hashes of the raw output: `plant` before it is made into verdicts."""
    own = {name: check for name, check in sorted(checks.items()) if isinstance(check, PlantCheck)}
    kinds = {check.reads.__name__ for check in own.values()}
    for unit in equipment(design, list(nodes)) if own else ():
        seen = evidence.get(unit.name)
        expectation = PlantExpectation(unit, limits, seen.taken[:10] if seen is not None else "")
        for name, check in own.items():
            finding = find(name, check, expectation, seen, kinds)
            raw = seen.raw.get(check.reads) if seen is not None else None
            if finding is not None:
                yield unit.name, name, finding, raw


def find(
    name: str, check: PlantCheck[Any], expectation: PlantExpectation, seen: NodeEvidence | None, kinds: set[str]
) -> Finding | None:
    """What one check says of one unit; None when it does not apply to it."""
    unit = expectation.unit
    try:
        if not isinstance(unit, check.unit) or not check.applies(expectation):
            return None
        record = seen.get(check.reads) if seen is not None else None
        return unseen(unit.name, check, seen, kinds) if record is None else check.judge(expectation, record)
    except Exception as error:  # noqa: BLE001 - a crash of a check is a verdict, never a way past the gate
        return crashed(unit.name, name, error)
