"""Lines of the kernel log and their rows of the catalogue: the worst that those of one domain mean for a node, and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rackwright import compare
from rackwright.error_codes import cut_log
from rackwright.error_codes.kernel_catalogue import KernelLine, load_kernel_catalogue
from rackwright.model.check import Expectation, Limit
from rackwright.model.evidence.kernel_log import KernelEvent, KernelLog
from rackwright.model.verdict import Finding, Outcome

METRIC = "kernel.events"
SEVERITIES = {"fail": Outcome.FAIL, "degraded": Outcome.DEGRADED, "advice": Outcome.DEGRADED}
"""Severities of the catalogue, the worst first. What is advice is shown and refuses nobody: its limit is advisory."""
SHOWN_KINDS = 4


def judge_domain(expectation: Expectation, log: KernelLog, domain: str) -> Finding:
    """More lines of a kind of `domain` than the limit of its severity allows give what that severity means; the worst decides.

    A severity without a limit is inconclusive, and so is a log that does not reach back to the start and names nothing.
    """
    limits = {severity: compare.limit(expectation, METRIC, severity=severity) for severity in SEVERITIES}
    rows = {severity: row for severity, row in limits.items() if row is not None}
    if len(rows) < len(limits):
        return compare.no_limit(expectation, METRIC)
    over = _over(expectation, log, load_kernel_catalogue().lines[domain])
    worst = next((severity for severity in SEVERITIES if any(line.severity == severity for line, _ in over)), "")
    finding = compare.finding(
        expectation,
        SEVERITIES.get(worst, Outcome.PASS),
        what=f"lines of {domain.replace('_', ' ')} in the kernel log:",
        observed=lambda: "; ".join(_first_lines(over)) or "none",
        expected=lambda: ", ".join(f"at most {row.value:g} of severity {severity}" for severity, row in rows.items()),
        source=lambda: _source(domain, rows),
        advisory=bool(worst) and rows[worst].advisory,
    )
    return cut_log.inconclusive_if_cut(expectation, log, _advised(finding, over) if over else finding)


Over = list[tuple[KernelLine, list[KernelEvent]]]


def _over(expectation: Expectation, log: KernelLog, lines: Mapping[str, KernelLine]) -> Over:
    """The kinds of which there are more lines than allowed, the worst first, with their lines."""
    events: dict[str, list[KernelEvent]] = {}
    for event in log.events:
        if event.kind in lines:
            events.setdefault(event.kind, []).append(event)
    over = [
        (lines[kind], of_kind) for kind, of_kind in events.items() if len(of_kind) > _most(expectation, lines[kind])
    ]
    return sorted(over, key=lambda pair: list(SEVERITIES).index(pair[0].severity))


def _most(expectation: Expectation, line: KernelLine) -> float:
    row = compare.limit(expectation, METRIC, severity=line.severity, kind=line.kind)
    return compare.number(row) if row is not None else 0


def _first_lines(over: Over) -> Iterator[str]:
    """The first line of each kind, with how many there are."""
    for _, events in over[:SHOWN_KINDS]:
        times = f" ({len(events)} times)" if len(events) > 1 else ""
        yield f"{events[0].text[: cut_log.SHOWN_CHARACTERS]}{times}"
    # A part of its own: a waiver of what is shown does not cover what is not.
    if len(over) > SHOWN_KINDS:
        yield f"and {len(over) - SHOWN_KINDS} more kinds"


def _source(domain: str, rows: Mapping[str, Limit]) -> str:
    sources = dict.fromkeys(compare.limit_source(row) for row in rows.values() if not row.advisory)
    return "; ".join([f"validators/kernel/{domain}.yaml", *sources])


def _advised(finding: Finding, over: Over) -> Finding:
    """`finding` with what to do about its lines, each action once."""
    actions = "; ".join(dict.fromkeys(line.action for line, _ in over[:SHOWN_KINDS]))
    return finding.model_copy(update={"says": f"{finding.says}. {actions}", "next_step": actions})
