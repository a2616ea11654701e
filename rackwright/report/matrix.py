"""The table of verdicts: one row per node, one column per check, one sign per cell.

Written here and not in the template, because a fleet has tens of thousands of cells: what passed is told by its sign alone once
there are more than `MOST_TOLD` nodes, and says no more than its row and its column do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup, escape

from rackwright.model.verdict import Outcome
from rackwright.report.view import Judged, Node, Report

MOST_TOLD = 32
"""Nodes up to which every cell tells its finding to whoever points at it; of more, those that are no pass."""
NONE = Markup('<td class="o none{first}"><span aria-hidden="true">·</span><span class="vh">does not apply</span></td>')


def domains(report: Report) -> list[tuple[str, list[str]]]:
    """Checks by domain, in the order of the columns."""
    found: dict[str, list[str]] = {}
    for check in report.checks:
        found.setdefault(check.domain, []).append(check.id)
    return list(found.items())


def rows(report: Report, signs: Mapping[Outcome, tuple[str, str, str]]) -> list[Markup]:
    """The cells of every node, in the order of the nodes."""
    columns = [(check, at == 0) for _, checks in domains(report) for at, check in enumerate(checks)]
    told = len(report.nodes) <= MOST_TOLD
    return [Markup("").join(_cells(node, columns, signs, told=told)) for node in report.nodes]


def _cells(
    node: Node, columns: Sequence[tuple[str, bool]], signs: Mapping[Outcome, tuple[str, str, str]], *, told: bool
) -> Iterator[Markup]:
    verdicts = {one.check: one for one in node.verdicts}
    for check, first in columns:
        one = verdicts.get(check)
        left = " first" if first else ""
        if one is None:
            yield Markup(NONE.replace("{first}", left))  # noqa: S704 - our own text
        else:
            yield _cell(one, left, signs[one.outcome], told=told)


def _cell(one: Judged, left: str, sign: tuple[str, str, str], *, told: bool) -> Markup:
    mark, word, _ = sign
    blocking = " blocking" if one.blocking else ""
    if one.outcome is Outcome.PASS and not told:
        return Markup(f'<td class="o o-pass{left}" aria-label="{word}">{mark}</td>')  # noqa: S704 - our own text
    says = escape(f"{one.says}{' (waived)' if one.waived else ''}")
    return Markup(  # noqa: S704 - the finding is escaped
        f'<td class="o o-{one.outcome.value}{blocking}{left}" title="{says}">'
        f'<span aria-hidden="true">{mark}</span><span class="vh">{word}</span></td>'
    )
