"""The table of verdicts: one row per node, one column per check, one sign per cell.

Written here and not in the template, because a fleet has tens of thousands of cells: above `MAX_TITLED` nodes a pass is only
its sign, without a title.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup, escape

from rackwright.model.verdict import Outcome
from rackwright.report.view import Judged, Report, ReportNode

MAX_TITLED = 32
"""Up to this many nodes every cell has a title with its finding; above, only cells that are not a pass."""
NONE = Markup('<td class="o none{first}"><span aria-hidden="true">·</span><span class="vh">does not apply</span></td>')


def domains(report: Report) -> list[tuple[str, list[str]]]:
    """Checks by domain, in the order of the columns."""
    checks: dict[str, list[str]] = {}
    for check in report.checks:
        checks.setdefault(check.domain, []).append(check.id)
    return list(checks.items())


def rows(report: Report, signs: Mapping[Outcome, tuple[str, str, str]]) -> list[Markup]:
    """The cells of every node, in the order of the nodes."""
    columns = [(check, at == 0) for _, checks in domains(report) for at, check in enumerate(checks)]
    with_titles = len(report.nodes) <= MAX_TITLED
    return [Markup("").join(_cells(node, columns, signs, with_titles=with_titles)) for node in report.nodes]


def _cells(
    node: ReportNode,
    columns: Sequence[tuple[str, bool]],
    signs: Mapping[Outcome, tuple[str, str, str]],
    *,
    with_titles: bool,
) -> Iterator[Markup]:
    verdicts = {verdict.check: verdict for verdict in node.verdicts}
    for check, first in columns:
        verdict = verdicts.get(check)
        suffix = " first" if first else ""
        if verdict is None:
            yield Markup(NONE.replace("{first}", suffix))  # noqa: S704 - our own text
        else:
            yield _cell(verdict, suffix, signs[verdict.outcome], with_title=with_titles)


def _cell(verdict: Judged, suffix: str, sign: tuple[str, str, str], *, with_title: bool) -> Markup:
    mark, word, _ = sign
    blocking = " blocking" if verdict.blocking else ""
    if verdict.outcome is Outcome.PASS and not with_title:
        return Markup(f'<td class="o o-pass{suffix}" aria-label="{word}">{mark}</td>')  # noqa: S704 - our own text
    says = escape(f"{verdict.says}{' (waived)' if verdict.waived else ''}")
    return Markup(  # noqa: S704 - the finding is escaped
        f'<td class="o o-{verdict.outcome.value}{blocking}{suffix}" title="{says}">'
        f'<span aria-hidden="true">{mark}</span><span class="vh">{word}</span></td>'
    )
