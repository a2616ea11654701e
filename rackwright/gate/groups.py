"""Whether a gate opens for a rack, a fabric, a pool or the site.

A group is the nodes of this run that belong together; nodes that the run did not cover are named in the report and count
neither way. A gate that `holds` keeps the good nodes of a closed group out, as holds for `decide`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from rackwright.gate.check_patterns import Asked, asks
from rackwright.model.design import Design
from rackwright.model.equipment import RackPdu, equipment
from rackwright.model.gate import Decision, Gate, GroupDecision, Hold
from rackwright.model.verdict import Outcome, Verdict

Groups = Mapping[str, Mapping[str, Sequence[str]]]
"""By scope and group: its covered nodes."""
Coverage = Mapping[str, tuple[int, int]]
"""By fabric: planned cables that were seen, and all of them that a machine of the run could see."""
SILENT = ("bmc", "nvlink")
"""Roles of fabrics that no operating system of a node has a port in; NVLink is in the nodes' own checks."""
Plant = Mapping[str, Sequence[str]]
"""By rack, and by site: the rack PDUs and CDUs that must be well before it is handed over."""


def groups(design: Design, nodes: Sequence[str]) -> Groups:
    """The racks, fabrics of cables that nodes talk over, pools and the site that `nodes` belong to."""
    rows = {row["node"]: row for row in design.node_table.iter_rows(named=True)}
    racks: dict[str, list[str]] = defaultdict(list)
    pools: dict[str, list[str]] = defaultdict(list)
    for node in nodes:
        racks[rows[node]["rack"]].append(node)
        pools[rows[node]["pool"]].append(node)
    talking = {fabric.name for fabric in design.site.fabrics if fabric.role not in SILENT}
    wired: dict[str, dict[str, None]] = defaultdict(dict)
    wanted = set(nodes)
    for fabric, near, far in design.cables.select("fabric", "a_device", "b_device").iter_rows():
        for device in (near, far):
            if fabric in talking and device in wanted:
                wired[fabric][device] = None
    fabrics = {name: [node for node in nodes if node in members] for name, members in wired.items()}
    return {"rack": racks, "fabric": fabrics, "cluster": pools, "site": {design.site.site: list(nodes)}}


def plant(design: Design, nodes: Sequence[str]) -> Plant:
    """By rack: its PDUs; by site: the CDUs, without which none of its racks runs. Of the racks and halls of `nodes`."""
    found: dict[str, list[str]] = defaultdict(list)
    for one in equipment(design, nodes):
        found[one.place if isinstance(one, RackPdu) else design.site.site].append(one.name)
    return found


def decide_groups(
    chain: Sequence[Gate],
    passed: Mapping[str, Iterable[str]],
    members: Groups,
    verdicts: Iterable[Verdict],
    coverage: Coverage,
    around: Plant | None = None,
) -> list[GroupDecision]:
    """One decision per gate of `chain` and group of its scope; `passed` are the nodes that each gate lets through.

    Verdicts whose target is a group (a rack, a fabric), the site or a part of its plant in `around` decide as well, where the
    gate asks for the check.
    """
    own: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        own[verdict.target].append(verdict)
    found = []
    for gate in chain:
        through = set(passed[gate.name])
        asked = asks(gate)
        for group, nodes in members.get(gate.scope, {}).items():
            targets = (group, *(around or {}).get(group, ()))
            said = [one for target in targets for one in own.get(target, ())]
            bad = [one for one in said if asked(one.check) is Asked.ALWAYS and not _good(one, gate)]
            found.append(_group(gate, group, nodes, through, bad, coverage.get(group, (0, 0))))
    return found


def _group(
    gate: Gate, group: str, nodes: Sequence[str], through: set[str], bad: Sequence[Verdict], seen: tuple[int, int]
) -> GroupDecision:
    count = sum(node in through for node in nodes)
    wrong = []
    if not nodes or count < gate.share * len(nodes):
        wrong.append(f"{count} of {len(nodes)} covered nodes passed, {gate.share:.0%} are asked for")
    if gate.scope == "fabric" and seen[0] < gate.coverage * seen[1]:
        wrong.append(f"{seen[0]} of {seen[1]} planned cables were seen, {gate.coverage:.0%} are asked for")
    wrong += _told(bad)
    good = f"{count} of {len(nodes)} covered nodes passed"
    if gate.scope == "fabric" and seen[1]:
        good += f", {seen[0]} of {seen[1]} planned cables were seen"
    return GroupDecision(
        gate=gate.name,
        scope=gate.scope,
        group=group,
        open=not wrong,
        passed=count,
        covered=len(nodes),
        reason="; ".join(wrong) if wrong else good,
    )


def _told(bad: Sequence[Verdict]) -> list[str]:
    """One sentence per cause: a unit that was not read is told once, not for every check of it."""
    checks: dict[str, list[str]] = defaultdict(list)
    for one in bad:
        checks[one.says].append(one.check)
    return [
        f"{names[0]}{f' and {len(names) - 1} more checks' if len(names) > 1 else ''}: {says}"
        for says, names in checks.items()
    ]


def _good(verdict: Verdict, gate: Gate) -> bool:
    return verdict.outcome == Outcome.PASS or (gate.allow_degraded and verdict.outcome == Outcome.DEGRADED)


def closed_holds(
    chain: Sequence[Gate], decided: Iterable[GroupDecision], members: Groups, accepted: Iterable[Decision]
) -> list[Hold]:
    """Holds for the good nodes of groups that stay closed, where the gate of the group `holds`."""
    strict = {gate.name for gate in chain if gate.holds}
    good = {one.node for one in accepted if one.accepted}
    return [
        Hold(node=node, rule=f"gate.{one.gate}", says=f"{one.scope} {one.group} stays closed: {one.reason}")
        for one in decided
        if one.gate in strict and not one.open
        for node in members[one.scope][one.group]
        if node in good
    ]
