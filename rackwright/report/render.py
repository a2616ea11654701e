"""The report as one HTML page that needs nothing else: no script, no font, no style from anywhere.

Everything that comes from outside is
escaped by Jinja (autoescape is on); only our own drawings and rendered check texts are inserted as markup.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from rackwright.base import content
from rackwright.model.verdict import Outcome
from rackwright.report import amounts, checktext, data, markdown, matrix, measured, page_drawings, remarks, words
from rackwright.report.drawings import fabric, rack, strip
from rackwright.report.view import Node, Report, Rule, Status

OUTCOMES = {
    Outcome.PASS: ("✓", "pass", "shown to be as expected"),
    Outcome.DEGRADED: ("!", "degraded", "works, below what is expected"),
    Outcome.FAIL: ("✕", "fail", "shown not to be as expected"),
    Outcome.INCONCLUSIVE: ("?", "inconclusive", "ran, and could not be judged"),
    Outcome.NOT_RUN: ("–", "not run", "the reading was never taken"),
}
"""Mark, word and meaning of each outcome."""

MOST_PASSPORTS = 256
"""Passports on the page: beyond it a browser takes long to show them, and nobody turns so many pages."""

STATUSES = {
    Status.ACCEPTED: "accepted",
    Status.REFUSED: "refused",
    Status.UNDECIDED: "covered, no decision of the gate",
    Status.NOT_COVERED: "not covered by this run",
    Status.UNJUDGED: "switch or power, not judged on its own",
}


def page(report: Report, digest: str | None = None) -> str:
    """The whole page; `digest` is that of the report's JSON, which takes long to write once more."""
    folder = content.folder("templates", "report")
    spreads = measured.spreads(report.nodes)
    styles = ((folder / name).read_text(encoding="utf-8") for name in ("style.css", "drawings.css"))
    style = Markup("".join(styles))  # noqa: S704 - our own files
    return (
        _environment(folder)
        .get_template("page.html.j2")
        .render(
            report=report,
            style=style,
            digest=digest or data.digest(report),
            elevations=[rack.elevation(one) for one in report.racks],
            sheets=page_drawings.sheets(report.design, report.run.site) if report.design else [],
            drawings={one.name: fabric.drawing(one) for one in report.fabrics},
            matrix=matrix.domains(report),
            cells=matrix.rows(report, OUTCOMES),
            spreads=[(one, strip.drawing(one, at)) for at, one in enumerate(spreads, start=1) if not one.even],
            even=[one for one in spreads if one.even],
            passports=_passports(report),
            rules=_rules(report),
            remarks=remarks.remarks(report.nodes),
            outcomes=OUTCOMES,
            statuses=STATUSES,
            marks=rack.MARKS,
        )
    )


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
        readings=words.readings,
        thousands=thousands,
        duration=duration,
        measure=amounts.shown,
        amount=amounts.amount,
        several=words.several,
    )
    return environment


def _passports(report: Report) -> list[Node]:
    """The nodes whose passports are on the page: all, or of a large site first those that there is something to say about."""
    told = [node for node in report.nodes if node.parts or node.versions or node.taken]
    if len(told) <= MOST_PASSPORTS:
        return told
    return sorted(told, key=lambda node: not _remarkable(node))[:MOST_PASSPORTS]


def _remarkable(node: Node) -> bool:
    return node.status is Status.REFUSED or bool(node.repairs) or any(verdict.waived for verdict in node.verdicts)


def by_domain(checks: Sequence[str]) -> str:
    """How many of the checks belong to each domain: ``gpu 8, pcie 3``."""
    counts = Counter(check.partition(".")[0] for check in checks)
    return ", ".join(f"{domain} {count}" for domain, count in sorted(counts.items()))


def _rules(report: Report) -> list[tuple[Rule, dict[Outcome, int], list[Rule]]]:
    """Each design rule once: the first verdict of it, how many there are of each outcome, and those that are no pass."""
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
    """A number for people: 12,345 and 1,234.5; a list with commas; anything else as it is."""
    if isinstance(value, bool) or value is None:
        return "–" if value is None else ("yes" if value else "no")
    if isinstance(value, float):
        return f"{value:,.1f}" if value != int(value) else f"{int(value):,}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def duration(seconds: float) -> str:
    """Seconds for people: 0.4 s, 12 s, 3 min 05 s."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
