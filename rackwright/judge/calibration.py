"""Limits that the nodes of a site make for their own server, where nobody has published any.

`acceptance.calibrations` of the site says on which terms. A reading counts when its node failed no check and was measured in enough runs. What a
row keeps is the median over the nodes, which one bad node cannot move; nodes far from it are left out and named. Too few nodes, too few runs,
and nodes that scatter too far make no limit. Its own readings do not show that a fleet is slow as a whole: so every
finding by such a limit says that nothing is published, and the limit must lie where the hardware could be at all (`lint_limits`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median

from rackwright.base.errors import Problem, ProblemsError
from rackwright.base.tables import TableRow
from rackwright.compare.limits import number
from rackwright.judge.calibrated_rows import versions
from rackwright.judge.learn import rounded
from rackwright.judge.limits import LimitTable
from rackwright.judge.lint import lint
from rackwright.judge.unlimited import About, UnlimitedReadings, unlimited_readings
from rackwright.model.calibration import Calibration
from rackwright.model.check import CALIBRATED, AnyCheck, Limit, NodeEvidence, Origin
from rackwright.model.design import Design, Node
from rackwright.model.verdict import Outcome, Verdict


@dataclass(frozen=True)
class _Sample:
    """The nodes that make one limit."""

    values: Mapping[str, float]
    runs: int
    scatter: float


def calibrate(
    design: Design,
    terms: Calibration,
    runs: Mapping[str, Mapping[str, NodeEvidence]],
    checks: Mapping[str, AnyCheck],
    limits: LimitTable,
    verdicts: Sequence[Verdict],
    day: date,
) -> list[Limit]:
    """The rows of everything that `terms.server` measured without a limit, in order.

    `runs` is the evidence of every run by its id, `verdicts` the newest judgement: of a node that it refuses for anything else than a missing limit
    nothing counts. Raises ProblemsError with every metric whose readings do not meet the terms, and when there is nothing to calibrate.
    """
    nodes = [node for node in design.nodes() if node.server.sku == terms.server]
    if mistakes := list(_terms(design, terms, nodes, limits)):
        raise ProblemsError(mistakes)
    readings = unlimited_readings(design, [node.name for node in nodes], runs, checks, limits)
    refused = _refused_nodes(verdicts, readings)
    problems: list[Problem] = []
    rows = []
    for about, by_node in sorted(readings.values.items()):
        measured = {name: values for name, values in by_node.items() if name not in refused}
        sample = _sample(terms, measured)
        mistakes = list(_too_few(terms, about, measured, refused.intersection(by_node))) or list(
            _too_far(terms, about, measured, sample, limits)
        )
        problems += mistakes
        if not mistakes:
            origin = _origin(design, terms, nodes[0], sample, sorted(set(by_node).difference(sample.values)))
            rows.append(_row(about, nodes[0], sample, origin, runs, limits, day))
    if not readings.values:
        text = "nothing of this server was measured that has no published limit"
        problems.append(_problem(terms, "", text, "readings without a limit", f"{len(runs)} runs"))
    problems += _impossible(terms, rows, limits, design)
    if problems:
        raise ProblemsError(problems)
    return rows


def _impossible(terms: Calibration, rows: Sequence[Limit], limits: LimitTable, design: Design) -> Iterator[Problem]:
    """Limits beyond what the hardware can do, or so far below that they tell nothing: a fleet that is slow as a whole shows here."""
    table = LimitTable((), tuple(TableRow(row, str(at)) for at, row in enumerate(rows))).over(limits)
    for doubt in lint(table, design.accelerators):
        if doubt.place.isdecimal():
            yield _problem(terms, doubt.path, doubt.message, doubt.expected, doubt.found)


def _terms(design: Design, terms: Calibration, nodes: Sequence[Node], limits: LimitTable) -> Iterator[Problem]:
    """Terms under which no limit could hold, whatever was measured."""
    bills = {tuple(versions(design, node.pool).items()) for node in nodes}
    if len(bills) > 1:
        text = "the pools of this server have different software, which one limit cannot hold for"
        yield _problem(terms, "", text, "one driver and library", f"{len(bills)} bills")
    most = 1 - _policy(limits, "policy.warn_share")
    if terms.scatter > most:
        text = "a good node could scatter further than the limit that follows allows"
        yield _problem(terms, "scatter", text, f"at most {most:g} (policy.warn_share)", f"{terms.scatter:g}")


def _refused_nodes(verdicts: Sequence[Verdict], readings: UnlimitedReadings) -> set[str]:
    """Nodes with a verdict that is no pass for any other reason than a missing limit."""
    bad = (v for v in verdicts if v.outcome in (Outcome.FAIL, Outcome.INCONCLUSIVE) and not v.advisory)
    return {
        verdict.target
        for verdict in bad
        if verdict.outcome is Outcome.FAIL or (verdict.target, verdict.check) not in readings.unjudged
    }


def _too_few(
    terms: Calibration, about: About, measured: Mapping[str, Sequence[float]], refused: Collection[str]
) -> Iterator[Problem]:
    enough = [name for name, values in measured.items() if len(values) >= terms.runs]
    if len(enough) < terms.nodes:
        also = f"; refused by a check: {', '.join(sorted(refused))}" if refused else ""
        actual = f"{len(enough)} nodes with {terms.runs} runs or more, of {len(measured)} that were measured{also}"
        text = "was measured on too few nodes, or too seldom"
        yield _problem(terms, _name(about), text, f"{terms.nodes} nodes with {terms.runs} runs each", actual)


def _sample(terms: Calibration, measured: Mapping[str, Sequence[float]]) -> _Sample:
    """The nodes within the scatter that the terms allow."""
    counted = {name: values for name, values in measured.items() if len(values) >= terms.runs}
    middles = {name: median(values) for name, values in counted.items()}
    middle = median(middles.values()) if middles else 0.0
    distances = {
        name: max(
            _relative_distance(middles[name], middle), *(_relative_distance(value, middles[name]) for value in values)
        )
        for name, values in counted.items()
    }
    near = {name: middles[name] for name, distance in distances.items() if distance <= terms.scatter}
    scatter = max((distances[name] for name in near), default=0.0)
    return _Sample(near, min((len(counted[name]) for name in near), default=0), scatter)


def _too_far(
    terms: Calibration,
    about: About,
    measured: Mapping[str, Sequence[float]],
    sample: _Sample,
    limits: LimitTable,
) -> Iterator[Problem]:
    share = _policy(limits, "policy.calibrated_share")
    least = max(terms.nodes, share * len(measured))
    if len(sample.values) < least:
        far = sorted(name for name in measured if name not in sample.values)
        text = "differs too far between nodes, or between runs of one node"
        expected = f"{least:g} of {len(measured)} nodes within {terms.scatter:.1%} of the median"
        yield _problem(terms, _name(about), text, expected, f"{len(sample.values)}; without {', '.join(far)}")


def _origin(design: Design, terms: Calibration, node: Node, sample: _Sample, left_out: list[str]) -> Origin:
    return Origin(
        site=design.site.site,
        signed_by=terms.signed_by,
        runs=sample.runs,
        scatter=rounded(sample.scatter),
        left_out=left_out,
        software=versions(design, node.pool),
    )


def _row(
    about: About, node: Node, sample: _Sample, origin: Origin, runs: Collection[str], limits: LimitTable, day: date
) -> Limit:
    metric, key = about
    part = {"accelerator": node.accelerator.sku} if node.accelerator is not None else {}
    values = list(sample.values.values())
    middle = median(values)
    return Limit(
        metric=metric,
        match={"server": node.server.sku, **part, **dict(key)},
        value=rounded(middle),
        unit=next(row.record.unit for row in limits.metrics if row.record.metric == metric),
        source=(
            f"{len(values)} nodes of site {origin.site} in {origin.runs} runs or more, signed by {origin.signed_by}, "
            f"evidence {', '.join(runs)}"
        ),
        date=day.isoformat(),
        kind=CALIBRATED,
        samples=len(values),
        spread=rounded(median(abs(value - middle) for value in values)),
        origin=origin,
    )


def _name(about: About) -> str:
    metric, key = about
    return f"{metric} ({', '.join(f'{name} {value}' for name, value in key)})" if key else metric


def _relative_distance(value: float, middle: float) -> float:
    return abs(value / middle - 1) if middle else float("inf")


def _policy(limits: LimitTable, metric: str) -> float:
    row = limits.find(metric)
    assert row is not None, f"{metric} is in validators/limits/policy.yaml"
    return number(row)


def _problem(terms: Calibration, what: str, message: str, expected: str, actual: str) -> Problem:
    about = f"{terms.server}: {what} {message}" if what else f"{terms.server}: {message}"
    step = "measure more nodes or runs (`rackwright burnin`), and find what is wrong with the nodes that differ"
    return Problem("site.yaml", "acceptance.calibrations", about, expected, actual, step, "judge.calibration")
