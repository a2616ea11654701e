"""The matrix fault x check as Markdown: what every fault turns red, and which check has no fault. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from rackwright.model.verdict import Outcome
from rackwright.twin.campaign.assess import Shown

HEAD = """\
# What every fault of the twin turns red

`rackwright rehearse SITE --fault-campaign --matrix FILE` writes this file. Each fault is put into the example site alone; **fail** and
*degraded* are verdicts of the check on the node at fault, (unread) says that there was nothing to judge. The third column must
find the fault, the fourth sees it too. A fault is found only when the sentence of a verdict names the object at fault.
"""
UNREADABLE = (Outcome.INCONCLUSIVE, Outcome.NOT_RUN)


def matrix(shown: Iterable[Shown], checks: Collection[str]) -> str:
    """One row per fault that was played alone; at the end the checks that none of them turns to fail or degraded."""
    alone = [one for one in shown if len(one.scene.injected) == 1 and not one.scene.name.startswith("combination")]
    rows = [_row(one) for one in sorted(alone, key=lambda one: one.scene.name)]
    red = {verdict.check for one in alone for verdict in one.red if verdict.outcome not in UNREADABLE}
    quiet = sorted(set(checks) - red)
    tail = [f"{len(alone)} faults, {len(checks)} checks."]
    if quiet:
        names = ", ".join(f"`{name}`" for name in quiet)
        tail.append(
            f"Checks of parts that this site lacks, so that no fault of it turns them to fail or degraded: {names}."
        )
    table = ["| fault | what is broken | found by | seen by too |", "| --- | --- | --- | --- |", *rows]
    return HEAD + "\n" + "\n".join([*table, "", *tail]) + "\n"


def _row(one: Shown) -> str:
    [injected] = one.scene.injected
    fault = injected.fault
    outcomes: dict[str, Outcome] = {}
    for verdict in one.red:
        outcomes.setdefault(verdict.check, verdict.outcome)
    own = [name for name in outcomes if name in fault.checks or _domain(name) in fault.checks]
    rest = [name for name in outcomes if name not in own]
    return f"| `{fault.name}` | {fault.summary} | {_told(own, outcomes)} | {_told(rest, outcomes)} |"


def _domain(check: str) -> str:
    return f"{check.partition('.')[0]}.*"


def _told(names: Sequence[str], outcomes: dict[str, Outcome]) -> str:
    """The checks with their outcome; where a whole domain could not be read, its name alone."""
    unread = [name for name in names if outcomes[name] in UNREADABLE]
    marks = {Outcome.FAIL: "**{}**", Outcome.DEGRADED: "*{}*"}
    said = [marks[outcomes[name]].format(name) for name in sorted(names) if name not in unread]
    domains: dict[str, list[str]] = {}
    for name in sorted(unread):
        domains.setdefault(_domain(name), []).append(name)
    said += [f"{domain if len(members) > 1 else members[0]} (unread)" for domain, members in domains.items()]
    return ", ".join(said) or "-"
