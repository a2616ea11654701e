"""Which nodes, racks, fabrics, pools, scalable units and sites are released, read from the decisions in the ledger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import cast

from rackwright import collect, gate
from rackwright.base.errors import Problem
from rackwright.ledger import Ledger, chain
from rackwright.ledger.tables import DecidedStateRow, DecisionRow, GroupDecisionRow, RunRow
from rackwright.model.acceptance_status import AcceptanceStatus, SubjectKind
from rackwright.model.design import Design
from rackwright.model.ledger_head import LedgerHead

DECIDED = [chain.table_of(kind) for kind in (RunRow, DecisionRow, GroupDecisionRow, DecidedStateRow)]
"""Tables of the ledger that the answers come from."""


class AcceptanceBoard:
    """The acceptance of everything in a design, from one ledger; `rehearsals` are those of a twin."""

    def __init__(self, design: Design, ledger: Ledger, *, rehearsals: bool = False) -> None:
        self._ledger, self._site, self._rehearsals = ledger, design.site.site, rehearsals
        acceptance = design.site.acceptance
        self._chain = gate.load_chain(acceptance.gates, roots=design.roots, hours=acceptance.policy.evidence_hours)
        self._designs = {node.name: collect.node_digest(node) for node in design.nodes("accelerator")}
        self._members = subject_members(design, list(self._designs))

    def head(self) -> LedgerHead | None:
        """Where the ledger ends: while this is the same, so is everything that `read` returns."""
        return self._ledger.head()

    def problems(self) -> Sequence[Problem]:
        """What was changed in the decisions after they were written."""
        return self._ledger.audit(tables=DECIDED).problems

    def read(self) -> list[AcceptanceStatus]:
        """Nodes in design order, then the groups of each kind."""
        standings = self._ledger.node_standings(self._site, rehearsals=self._rehearsals)
        nodes = gate.node_status(self._designs, standings, self._chain[-1].name)
        of_groups = self._ledger.group_standings(self._site, rehearsals=self._rehearsals)
        return [*nodes.values(), *gate.group_status(self._members, nodes, of_groups, self._chain)]


def subject_members(design: Design, nodes: Sequence[str]) -> Mapping[SubjectKind, Mapping[str, Sequence[str]]]:
    """Racks, fabrics, pools, scalable units and the site, each with those of `nodes` that belong to it."""
    groups = gate.node_groups(design, nodes)
    units: dict[str, list[str]] = defaultdict(list)
    places = {row["node"]: row for row in design.node_table.iter_rows(named=True)}
    for node in nodes:
        units[unit_name(places[node]["pool"], places[node]["scalable_unit"])].append(node)
    members = {"rack": "rack", "fabric": "fabric", "pool": "cluster"}
    result = {cast("SubjectKind", kind): groups[scope] for kind, scope in members.items()}
    return {**result, "unit": units, "site": groups["site"]}


def unit_name(pool: str, number: int) -> str:
    """Name of a scalable unit, as nodes carry it in their labels."""
    return f"{pool}-su{number}"
