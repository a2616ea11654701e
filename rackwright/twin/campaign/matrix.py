"""The matrix of faults and checks as Markdown: checks that each fault turns red, by kind of site, and checks without a fault."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from rackwright.model.base import Record
from rackwright.model.verdict import Outcome
from rackwright.twin.campaign.assess import SceneResult

HEAD = """\
# What every fault of the twin turns red

`rackwright rehearse SITE --fault-campaign --matrix FILE` writes such a file for one site; `make faults` plays the sites below and writes this
one. Each fault is put into a site alone; **fail** and *degraded* are verdicts of the check on the node at fault, (unread) says that there was
nothing to judge. The checks that find a fault must do so; the others see it too. A fault is found only when the sentence of a verdict names
the object at fault, and when the gate of the site refuses the node at fault and no other: only a fault that advisory checks alone see is
(reported) and refuses nobody, and one of the plant refuses its rack or site. Healthy nodes must be accepted. A fault that shows differently on
other sites has several rows.
"""
UNREADABLE = (Outcome.INCONCLUSIVE, Outcome.NOT_RUN)
MARKS = {Outcome.FAIL: "**{}**", Outcome.DEGRADED: "*{}*"}


class FaultRow(Record):
    """The checks that one fault turned red on the nodes of a site."""

    fault: str
    summary: str
    found: dict[str, Outcome]
    """Outcome of each check that must find it."""
    additional: dict[str, Outcome]
    """Outcome of each further check."""
    advisory: bool
    """Whether only advisory checks find it, so that the gate refuses no node."""


class FaultSheet(Record):
    """The results of one campaign."""

    site: str
    about: str
    """What kind of site it is, in a few words."""
    rows: list[FaultRow]
    absent: dict[str, str]
    """Reasons why the other faults cannot show there, by name."""


def fault_sheet(site: str, about: str, results: Iterable[SceneResult], absent: Mapping[str, str]) -> FaultSheet:
    """The rows of the faults that were played alone, by name."""
    scenes = ((result.scene, result) for result in results)
    alone = [
        result for scene, result in scenes if len(scene.injected) == 1 and not scene.name.startswith("combination")
    ]
    rows = [_row(result) for result in sorted(alone, key=lambda result: result.scene.name)]
    return FaultSheet(site=site, about=about, rows=rows, absent=dict(absent))


def _row(result: SceneResult) -> FaultRow:
    [injected] = result.scene.injected
    fault = injected.fault
    outcomes: dict[str, Outcome] = {}
    for verdict in result.red:
        outcomes.setdefault(verdict.check, verdict.outcome)
    required = {name: outcomes[name] for name in outcomes if name in fault.checks or _domain(name) in fault.checks}
    rest = {name: outcomes[name] for name in outcomes if name not in required}
    return FaultRow(
        fault=fault.name, summary=fault.summary, found=required, additional=rest, advisory=fault.name in result.advisory
    )


def matrix(sheets: Sequence[FaultSheet], checks: Collection[str]) -> str:
    """The Markdown page: a row per fault and set of outcomes, then the checks that no fault turns red, then absent faults by site."""
    rows: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    for sheet in sheets:
        for row in sheet.rows:
            finders = _outcome_cell(row.found) + (" (reported)" if row.advisory else "")
            rows[row.fault, row.summary, finders, _outcome_cell(row.additional)].append(sheet.site)
    lines = ["", *(f"- **{sheet.site}**: {sheet.about}" for sheet in sheets), ""]
    lines += ["| fault | what is broken | found by | seen by too | on |", "| --- | --- | --- | --- | --- |"]
    order = sorted(rows.items(), key=lambda sites_of_row: sites_of_row[0][0])
    lines += [
        f"| `{fault}` | {summary} | {finders} | {witnesses} | {', '.join(sites)} |"
        for (fault, summary, finders, witnesses), sites in order
    ]
    return HEAD + "\n".join([*lines, "", *_quiet_faults(sheets, checks), *_absent_faults(sheets)]) + "\n"


def red(sheets: Iterable[FaultSheet]) -> set[str]:
    """The checks that some fault turned to fail or degraded."""
    rows = (row for sheet in sheets for row in sheet.rows)
    return {
        check for row in rows for check, outcome in (row.found | row.additional).items() if outcome not in UNREADABLE
    }


def _quiet_faults(sheets: Sequence[FaultSheet], checks: Collection[str]) -> list[str]:
    faults = {row.fault for sheet in sheets for row in sheet.rows}
    quiet = sorted(set(checks) - red(sheets))
    lines = [f"{len(faults)} faults, {len(checks)} checks on {len(sheets)} {'site' if len(sheets) == 1 else 'sites'}."]
    if quiet:
        names = ", ".join(f"`{name}`" for name in quiet)
        lines.append(
            f"Checks of parts that none of them has, so that no fault turns them to fail or degraded: {names}."
        )
    return lines


def _absent_faults(sheets: Sequence[FaultSheet]) -> list[str]:
    lines = ["", "## What cannot show where"]
    for sheet in sheets:
        why: dict[str, list[str]] = defaultdict(list)
        for fault, reason in sheet.absent.items():
            why[reason].append(f"`{fault}`")
        lines += [
            "",
            f"On {sheet.site}:",
            "",
            *(f"- {reason}: {', '.join(names)}" for reason, names in sorted(why.items())),
        ]
    return lines


def _domain(check: str) -> str:
    return f"{check.partition('.')[0]}.*"


def _outcome_cell(outcomes: Mapping[str, Outcome]) -> str:
    """The checks with their outcomes; a domain that is completely unread appears by its name alone."""
    unread = [name for name, outcome in outcomes.items() if outcome in UNREADABLE]
    cells = [MARKS[outcomes[name]].format(name) for name in sorted(outcomes) if name not in unread]
    domains: dict[str, list[str]] = {}
    for name in sorted(unread):
        domains.setdefault(_domain(name), []).append(name)
    cells += [f"{domain if len(members) > 1 else members[0]} (unread)" for domain, members in domains.items()]
    return ", ".join(cells) or "-"
