"""The matrix fault x check as Markdown: what every fault turns red, on which kinds of site, and which check has no fault."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from rackwright.model.base import Record
from rackwright.model.verdict import Outcome
from rackwright.twin.campaign.assess import Shown

HEAD = """\
# What every fault of the twin turns red

`rackwright rehearse SITE --fault-campaign --matrix FILE` writes such a file for one site; `make faults` plays the sites below and writes this
one. Each fault is put into a site alone; **fail** and *degraded* are verdicts of the check on the node at fault, (unread) says that there was
nothing to judge. The checks that find a fault must do so; the others see it too. A fault is found only when the sentence of a verdict names
the object at fault. A fault that shows differently on other sites has several rows.
"""
UNREADABLE = (Outcome.INCONCLUSIVE, Outcome.NOT_RUN)
MARKS = {Outcome.FAIL: "**{}**", Outcome.DEGRADED: "*{}*"}


class Row(Record):
    """What one fault turned red on the nodes of a site."""

    fault: str
    summary: str
    found: dict[str, Outcome]
    """By check, of those that must find it."""
    seen: dict[str, Outcome]
    """By check, of the others."""


class Sheet(Record):
    """What one campaign showed."""

    site: str
    about: str
    """What kind of site it is, in a few words."""
    rows: list[Row]
    absent: dict[str, str]
    """Why the other faults cannot show there, by name."""


def sheet(site: str, about: str, shown: Iterable[Shown], absent: Mapping[str, str]) -> Sheet:
    """The faults that were played alone, by name."""
    alone = [one for one in shown if len(one.scene.injected) == 1 and not one.scene.name.startswith("combination")]
    rows = [_row(one) for one in sorted(alone, key=lambda one: one.scene.name)]
    return Sheet(site=site, about=about, rows=rows, absent=dict(absent))


def _row(one: Shown) -> Row:
    [injected] = one.scene.injected
    fault = injected.fault
    outcomes: dict[str, Outcome] = {}
    for verdict in one.red:
        outcomes.setdefault(verdict.check, verdict.outcome)
    own = {name: outcomes[name] for name in outcomes if name in fault.checks or _domain(name) in fault.checks}
    rest = {name: outcomes[name] for name in outcomes if name not in own}
    return Row(fault=fault.name, summary=fault.summary, found=own, seen=rest)


def matrix(sheets: Sequence[Sheet], checks: Collection[str]) -> str:
    """One row per fault and way in which it shows; below, what cannot show where, and the checks that no fault turns red."""
    ways: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    for one in sheets:
        for row in one.rows:
            ways[row.fault, row.summary, _told(row.found), _told(row.seen)].append(one.site)
    lines = ["", *(f"- **{one.site}**: {one.about}" for one in sheets), ""]
    lines += ["| fault | what is broken | found by | seen by too | on |", "| --- | --- | --- | --- | --- |"]
    order = sorted(ways.items(), key=lambda item: item[0][0])
    lines += [
        f"| `{fault}` | {summary} | {found} | {seen} | {', '.join(sites)} |"
        for (fault, summary, found, seen), sites in order
    ]
    return HEAD + "\n".join([*lines, "", *_quiet(sheets, checks), *_absent(sheets)]) + "\n"


def red(sheets: Iterable[Sheet]) -> set[str]:
    """The checks that some fault turned to fail or degraded."""
    rows = (row for one in sheets for row in one.rows)
    return {check for row in rows for check, outcome in (row.found | row.seen).items() if outcome not in UNREADABLE}


def _quiet(sheets: Sequence[Sheet], checks: Collection[str]) -> list[str]:
    faults = {row.fault for one in sheets for row in one.rows}
    quiet = sorted(set(checks) - red(sheets))
    told = [f"{len(faults)} faults, {len(checks)} checks on {len(sheets)} {'site' if len(sheets) == 1 else 'sites'}."]
    if quiet:
        names = ", ".join(f"`{name}`" for name in quiet)
        told.append(f"Checks of parts that none of them has, so that no fault turns them to fail or degraded: {names}.")
    return told


def _absent(sheets: Sequence[Sheet]) -> list[str]:
    lines = ["", "## What cannot show where"]
    for one in sheets:
        why: dict[str, list[str]] = defaultdict(list)
        for fault, reason in one.absent.items():
            why[reason].append(f"`{fault}`")
        lines += [
            "",
            f"On {one.site}:",
            "",
            *(f"- {reason}: {', '.join(names)}" for reason, names in sorted(why.items())),
        ]
    return lines


def _domain(check: str) -> str:
    return f"{check.partition('.')[0]}.*"


def _told(outcomes: Mapping[str, Outcome]) -> str:
    """The checks with their outcome; where a whole domain could not be read, its name alone."""
    unread = [name for name, outcome in outcomes.items() if outcome in UNREADABLE]
    said = [MARKS[outcomes[name]].format(name) for name in sorted(outcomes) if name not in unread]
    domains: dict[str, list[str]] = {}
    for name in sorted(unread):
        domains.setdefault(_domain(name), []).append(name)
    said += [f"{domain if len(members) > 1 else members[0]} (unread)" for domain, members in domains.items()]
    return ", ".join(said) or "-"
