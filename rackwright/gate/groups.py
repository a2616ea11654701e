"""Decides whether a gate opens for a rack, a fabric, a pool or the site.

A group contains the nodes of this run that belong together. The report names nodes that the run did not cover; they do
not count. A gate with `holds` also refuses the good nodes of a closed group, by holds for `decide_nodes`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import polars as pl

from rackwright.gate.check_patterns import CheckRole, check_roles, matches
from rackwright.gate.decide import opens
from rackwright.model.capability import Capability
from rackwright.model.design import Design
from rackwright.model.equipment import CoolantUnit, equipment
from rackwright.model.gate import Decision, Gate, GroupDecision, Hold
from rackwright.model.node_verdicts import NO_VERDICT, NodeVerdicts, Verdicts, by_target
from rackwright.model.verdict import Outcome, Verdict

Groups = Mapping[str, Mapping[str, Sequence[str]]]
"""Covered nodes, by scope and group."""
Coverage = Mapping[str, tuple[int, int]]
"""Fabric -> number of planned cables that were observed, and of those that a machine of the run could observe."""
SILENT = ("bmc", "nvlink")
"""Roles of fabrics without a port in a node's operating system; nodes check NVLink themselves."""
Plant = Mapping[str, Sequence[str]]
"""Rack PDUs and CDUs that must be healthy before handover, by rack and by site."""


def node_groups(design: Design, nodes: Sequence[str]) -> Groups:
    """The racks, fabrics, pools and the site of `nodes`; only fabrics of cables over which nodes send traffic.

    A pool with two schedulers is also a group for each: nodes of one scheduler do not wait for those of the other.
    """
    rows = {row["node"]: row for row in design.node_table.iter_rows(named=True)}
    racks: dict[str, list[str]] = defaultdict(list)
    pools: dict[str, list[str]] = defaultdict(list)
    divided = {pool.name: pool for pool in design.site.pools if len(pool.nodes_by_scheduler()) > 1}
    for node in nodes:
        racks[rows[node]["rack"]].append(node)
        pools[rows[node]["pool"]].append(node)
        if pool := divided.get(rows[node]["pool"]):
            pools[pool.part_name(design.node(node).scheduler)].append(node)
    talking = {fabric.name for fabric in design.site.fabrics if fabric.role not in SILENT}
    cables = design.cables.filter(pl.col("fabric").is_in(talking))
    ends = pl.concat([cables.select("fabric", device=f"{end}_device") for end in "ab"])
    wired: dict[str, set[str]] = {name: set() for name in cables["fabric"].unique(maintain_order=True)}
    for fabric, device in ends.filter(pl.col("device").is_in(list(nodes))).unique().iter_rows():
        wired[fabric].add(device)
    fabrics = {name: [node for node in nodes if node in members] for name, members in wired.items() if members}
    return {"rack": racks, "fabric": fabrics, "cluster": pools, "site": {design.site.site: list(nodes)}}


def node_capabilities(design: Design, nodes: Sequence[str]) -> dict[str, Sequence[Capability]]:
    """The capabilities of the accelerators of each node; none for nodes without accelerators."""
    accelerators = {name: design.node(name).accelerator for name in nodes}
    return {name: accelerator.capabilities if accelerator else () for name, accelerator in accelerators.items()}


def plant_units(design: Design, nodes: Sequence[str]) -> Plant:
    """The plant of the racks and halls of `nodes`: PDUs and power shelves by rack, and CDUs, which every rack needs, by
    site.
    """
    units: dict[str, list[str]] = defaultdict(list)
    for unit in equipment(design, nodes):
        units[design.site.site if isinstance(unit, CoolantUnit) else unit.place].append(unit.name)
    return units


def decide_groups(
    chain: Sequence[Gate],
    passed: Mapping[str, Iterable[str]],
    members: Groups,
    verdicts: Verdicts,
    coverage: Coverage,
    around: Plant | None = None,
    old: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
) -> list[GroupDecision]:
    """One decision per gate of `chain` and group of its scope; `passed` lists the nodes that each gate accepts.

    Verdicts on a group (a rack, a fabric), on the site or on a plant unit in `around` count as well if the gate
    requires the check, and so do those on refused nodes that concern the whole group (`Gate.closes`); `old` maps gate
    and unit to the reason why its evidence is too old.
    """
    judged = by_target(verdicts)
    decisions = []
    for gate in chain:
        through = set(passed[gate.name])
        role_of = check_roles(gate)
        for group, nodes in members.get(gate.scope, {}).items():
            targets = (group, *(around or {}).get(group, ()))
            blocking = [
                verdict
                for target in targets
                for verdict in judged.get(target, NO_VERDICT).others
                if role_of(verdict.check) is CheckRole.ALWAYS and not opens(verdict, gate)
            ]
            if gate.closes:
                blocking += _closing(gate, (judged.get(node, NO_VERDICT) for node in nodes if node not in through))
            reasons = [*_blocking_reasons(blocking), *_old_reasons(targets, old.get(gate.name, {}))]
            decisions.append(_group(gate, group, nodes, through, reasons, coverage.get(group, (0, 0))))
    return decisions


def _closing(gate: Gate, refused: Iterable[NodeVerdicts]) -> list[Verdict]:
    """The verdicts on refused nodes that keep their whole group closed, one for each check: all nodes report the same
    about the group.
    """
    first: dict[str, Verdict] = {}
    for verdict in (verdict for node in refused for verdict in node.others):
        if verdict.outcome is not Outcome.NOT_RUN and matches(verdict.check, gate.closes) and not opens(verdict, gate):
            first.setdefault(verdict.check, verdict)
    return list(first.values())


def _group(
    gate: Gate,
    group: str,
    nodes: Sequence[str],
    through: set[str],
    against: Sequence[str],
    cables: tuple[int, int],
) -> GroupDecision:
    count = sum(node in through for node in nodes)
    share = f"{100 * count // len(nodes)} % of {len(nodes)} covered nodes passed" if nodes else "no node is covered"
    reasons = []
    if not nodes or count < gate.share * len(nodes):
        reasons.append(f"{share}, {100 * gate.share:.0f} % required")
    if gate.scope == "fabric" and cables[0] < gate.coverage * cables[1]:
        reasons.append(f"{_coverage(cables)}, {100 * gate.coverage:.0f} % required")
    reasons += against
    good = share
    if gate.scope == "fabric" and cables[1]:
        good += f", {_coverage(cables)}"
    return GroupDecision(
        gate=gate.name,
        scope=gate.scope,
        group=group,
        open=not reasons,
        passed=count,
        covered=len(nodes),
        reason="; ".join(reasons) if reasons else good,
    )


def _coverage(cables: tuple[int, int]) -> str:
    observed, planned = cables
    return f"{100 * observed // planned} % of {planned} planned cables were observed"


def _blocking_reasons(blocking: Sequence[Verdict]) -> list[str]:
    """One sentence per cause: a unit without a reading is reported once, not for every check."""
    checks: dict[str, list[str]] = defaultdict(list)
    for verdict in blocking:
        checks[verdict.says].append(verdict.check)
    return [
        f"{names[0]}{f' and {len(names) - 1} more checks' if len(names) > 1 else ''}: {says}"
        for says, names in checks.items()
    ]


def _old_reasons(targets: Iterable[str], old: Mapping[str, str]) -> list[str]:
    return [f"{unit}: {old[unit]}" for unit in targets if unit in old]


def closed_holds(
    chain: Sequence[Gate], decided: Iterable[GroupDecision], members: Groups, accepted: Iterable[Decision]
) -> list[Hold]:
    """Holds for the good nodes of closed groups, if the gate of the group has `holds`."""
    strict = {gate.name for gate in chain if gate.holds}
    good = {decision.node for decision in accepted if decision.accepted}
    return [
        Hold(
            node=node,
            rule=f"gate.{decision.gate}",
            says=f"{decision.scope} {decision.group} stays closed: {decision.reason}",
        )
        for decision in decided
        if decision.gate in strict and not decision.open
        for node in members[decision.scope][decision.group]
        if node in good
    ]
