"""The report as one self-contained HTML page: no script, no font, no external style.

Jinja escapes all external text (autoescape is on); only our drawings and rendered check texts are inserted as markup.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from rackwright.base import content
from rackwright.base.terminal_text import escape_controls
from rackwright.model.verdict import Outcome
from rackwright.report import amounts, checktext, data, finding_text, markdown, matrix, measured, page_drawings, remarks
from rackwright.report.drawings import fabric, rack, strip
from rackwright.report.view import NodeStatus, Report, ReportNode, Rule

OUTCOMES = {
    Outcome.PASS: ("✓", "pass", "shown to be as expected"),
    Outcome.DEGRADED: ("!", "degraded", "works, below what is expected"),
    Outcome.FAIL: ("✕", "fail", "shown not to be as expected"),
    Outcome.INCONCLUSIVE: ("?", "inconclusive", "ran, and could not be judged"),
    Outcome.NOT_RUN: ("–", "not run", "the reading was never taken"),
}
"""Mark, word and meaning of each outcome."""

MAX_PASSPORTS = 256
"""Passports on the page: with more, browsers become slow, and the page is too long to read."""

STATUSES = {
    NodeStatus.ACCEPTED: "accepted",
    NodeStatus.REFUSED: "refused",
    NodeStatus.UNDECIDED: "covered, no decision of the gate",
    NodeStatus.NOT_COVERED: "not covered by this run",
    NodeStatus.UNJUDGED: "switch or power, not judged on its own",
}


def render_page(report: Report, digest: str | None = None) -> str:
    """The HTML page; `digest` is the hash of the report's JSON, which is slow to compute again."""
    folder = content.folder("templates", "report")
    spreads = measured.spreads(report.nodes)
    styles = ((folder / name).read_text(encoding="utf-8") for name in ("style.css", "drawings.css"))
    style = Markup("".join(styles))  # noqa: S704 - our own files
    page = (
        _environment(folder)
        .get_template("page.html.j2")
        .render(
            report=report,
            style=style,
            digest=digest or data.digest(report),
            elevations=[rack.elevation(figure) for figure in report.racks],
            sheets=page_drawings.sheets(report.design, report.run.site) if report.design else [],
            drawings={figure.name: fabric.drawing(figure) for figure in report.fabrics},
            matrix=matrix.domains(report),
            cells=matrix.rows(report, OUTCOMES),
            spreads=[
                (figure, strip.drawing(figure, at)) for at, figure in enumerate(spreads, start=1) if not figure.even
            ],
            even=[figure for figure in spreads if figure.even],
            passports=_passports(report),
            rules=_rules(report),
            remarks=remarks.remarks(report.nodes),
            outcomes=OUTCOMES,
            statuses=STATUSES,
            marks=rack.MARKS,
        )
    )
    return escape_controls(page)


@cache
def _environment(folder: Path) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        body=checktext.body,
        by_domain=by_domain,
        markdown=markdown.html,
        readings=finding_text.readings,
        thousands=thousands,
        duration=duration,
        measure=amounts.format_value,
        amount=amounts.amount,
        several=finding_text.names_text,
    )
    return environment


def _passports(report: Report) -> list[ReportNode]:
    """Nodes with a passport on the page: all, or for a large site first those with remarks."""
    nodes = [node for node in report.nodes if node.parts or node.versions or node.taken]
    if len(nodes) <= MAX_PASSPORTS:
        return nodes
    return sorted(nodes, key=lambda node: not _is_remarkable(node))[:MAX_PASSPORTS]


def _is_remarkable(node: ReportNode) -> bool:
    return node.status is NodeStatus.REFUSED or bool(node.repairs) or any(verdict.waived for verdict in node.verdicts)


def by_domain(checks: Sequence[str]) -> str:
    """How many of the checks belong to each domain: ``gpu 8, pcie 3``."""
    counts = Counter(check.partition(".")[0] for check in checks)
    return ", ".join(f"{domain} {count}" for domain, count in sorted(counts.items()))


def _rules(report: Report) -> list[tuple[Rule, dict[Outcome, int], list[Rule]]]:
    """Each design rule once: its first verdict, the number of each outcome, and its verdicts other than pass."""
    by_check: dict[str, list[Rule]] = {}
    for rule in report.design_rules:
        by_check.setdefault(rule.check, []).append(rule)
    return [
        (
            rules[0],
            Counter(rule.outcome for rule in rules),
            [rule for rule in rules if rule.outcome is not Outcome.PASS],
        )
        for rules in by_check.values()
    ]


def thousands(value: object) -> str:
    """A number for people: 12,345 and 1,234.5; a list with commas; anything else unchanged."""
    if isinstance(value, bool) or value is None:
        return "–" if value is None else ("yes" if value else "no")
    if isinstance(value, float):
        return f"{value:,.1f}" if value != int(value) else f"{int(value):,}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def duration(seconds: float) -> str:
    """Seconds for people: 0.4 s, 12 s, 3 min 05 s."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, remaining = divmod(round(seconds), 60)
    return f"{minutes} min {remaining:02d} s" if minutes else f"{remaining} s"
