"""Lines of the fabric manager's log and their rows of the catalogue (``validators/fabric_manager``): what the worst of them means, and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Literal

from rackwright import compare
from rackwright.base import content, tables
from rackwright.error_codes.cut_log import SHOWN_CHARACTERS
from rackwright.model.base import Record
from rackwright.model.check import Expectation
from rackwright.model.evidence.manager_log import ManagerLine, ManagerLog
from rackwright.model.verdict import Finding, Outcome

CATALOGUE = "validators/fabric_manager/lines.yaml"
OUTCOMES = {"fail": Outcome.FAIL, "degraded": Outcome.DEGRADED}
"""The worst first."""
BAD_LEVELS = {"ERROR", "CRITICAL", "FATAL"}
SHOWN_KINDS = 4


class ManagerLineKind(Record):
    """One kind of line."""

    kind: str
    severity: Literal["fail", "degraded"]
    pattern: str
    action: str
    line: str
    """A line of a real log."""
    source: str
    date: str


UNKNOWN = ManagerLineKind(
    kind="unknown", severity="degraded", pattern="", action="Read the lines around it in /var/log/fabricmanager.log, and ask NVIDIA what it means",
    line="", source="", date="",
)  # fmt: skip
Group = tuple[ManagerLineKind, list[ManagerLine]]


@cache
def load_manager_lines() -> tuple[ManagerLineKind, ...]:
    """The catalogue. Raises ProblemsError with every row that does not fit, at its line."""
    path = content.folder("validators", "fabric_manager") / "lines.yaml"
    rows = tables.load_tables(path, {"events": ManagerLineKind})
    return tuple(row.record for row in rows["events"])


def judge_log(expectation: Expectation, log: ManagerLog) -> Finding:
    """The worst kind among the lines that are no history decides."""
    groups = _groups([line for line in log.lines if not (expectation.log_since and line.time < expectation.log_since)])
    worst = next((severity for severity in OUTCOMES if any(kind.severity == severity for kind, _ in groups)), "")
    finding = compare.finding(
        expectation,
        OUTCOMES.get(worst, Outcome.PASS),
        what="log of the fabric manager:",
        observed=lambda: "; ".join(_first_lines(groups)) or "no error",
        expected="no error",
        source=CATALOGUE,
    )
    if not groups:
        return finding
    actions = "; ".join(dict.fromkeys(kind.action for kind, _ in groups[:SHOWN_KINDS]))
    return finding.model_copy(update={"says": f"{finding.says}. {actions}", "next_step": actions})


def _groups(lines: Sequence[ManagerLine]) -> list[Group]:
    """The lines by kind, the worst kinds first; a warning outside of the catalogue is left out."""
    groups: dict[str, Group] = {}
    for line in lines:
        kind = next((kind for kind in load_manager_lines() if re.match(kind.pattern, line.text)), None)
        if kind is None and line.level not in BAD_LEVELS:
            continue
        kind = kind or UNKNOWN
        groups.setdefault(kind.kind, (kind, []))[1].append(line)
    return sorted(groups.values(), key=lambda group: list(OUTCOMES).index(group[0].severity))


def _first_lines(groups: Sequence[Group]) -> Iterator[str]:
    for _, lines in groups[:SHOWN_KINDS]:
        times = f" ({len(lines)} times)" if len(lines) > 1 else ""
        yield f"{lines[0].time} {lines[0].text[:SHOWN_CHARACTERS]}{times}"
    if len(groups) > SHOWN_KINDS:
        yield f"and {len(groups) - SHOWN_KINDS} more kinds"
