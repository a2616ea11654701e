"""The acceptance of nodes, racks, fabrics, pools and parts of them, scalable units and sites, read from the decisions
in the ledger.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rackwright import collect, gate
from rackwright.base.errors import OutsideError, Problem
from rackwright.ledger import Ledger, chain
from rackwright.ledger.tables import DecidedStateRow, DecisionRow, GroupDecisionRow, RunRow
from rackwright.model.acceptance_status import AcceptanceStatus, SubjectKind
from rackwright.model.design import Design, unit_name
from rackwright.model.ledger_head import LedgerHead

DECIDED = [chain.table_of(kind) for kind in (RunRow, DecisionRow, GroupDecisionRow, DecidedStateRow)]
"""Tables of the ledger that are read."""


class AcceptanceBoard:
    """The acceptance of everything in a design, from one ledger; with `rehearsals`, the decisions on a twin are read."""

    def __init__(self, design: Design, ledger: Ledger, *, rehearsals: bool = False) -> None:
        self._ledger, self._site, self._rehearsals = ledger, design.site.site, rehearsals
        self.parts = design.site.include
        acceptance = design.site.acceptance
        self._chain = gate.load_chain(acceptance.gates, roots=design.roots, hours=acceptance.policy.evidence_hours)
        self._designs = {node.name: collect.node_digest(node) for node in design.nodes("accelerator")}
        self._members = subject_members(design, list(self._designs))

    def stamp(self) -> tuple[object, ...]:
        """A value that changes whenever the result of `read` may change."""
        return (self._ledger.head(),)

    def head(self) -> LedgerHead | None:
        """The head of the ledger."""
        return self._ledger.head()

    def problems(self) -> Sequence[Problem]:
        """Problems of decisions that were changed after they were written."""
        return self._ledger.audit(tables=DECIDED).problems

    def read(self) -> list[AcceptanceStatus]:
        """The status of the nodes in design order, then of the groups of each kind."""
        standings = self._ledger.node_standings(self._site, rehearsals=self._rehearsals)
        nodes = gate.node_status(self._designs, standings, self._chain[-1].name)
        of_groups = self._ledger.group_standings(self._site, rehearsals=self._rehearsals)
        return [*nodes.values(), *gate.group_status(self._members, nodes, of_groups, self._chain)]


class SiteBoard:
    """The board of a site file, created again if the file or a part of it changes: decisions on another design release
    nothing.
    """

    def __init__(self, site: Path, make: Callable[[], AcceptanceBoard]) -> None:
        """`make` loads the site and returns its board; it raises ProblemsError for a site with mistakes."""
        self._site, self._make = site, make
        self._stamp: tuple[object, ...] | None = None
        self._board: AcceptanceBoard | None = None

    def stamp(self) -> tuple[object, ...]:
        """A value that changes whenever the site or the ledger changes."""
        return self._current().stamp() + (self._stamp or ())

    def head(self) -> LedgerHead | None:
        """The head of the ledger."""
        return self._current().head()

    def problems(self) -> Sequence[Problem]:
        """Problems of decisions that were changed after they were written."""
        return self._current().problems()

    def read(self) -> list[AcceptanceStatus]:
        """All statuses."""
        return self._current().read()

    def _current(self) -> AcceptanceBoard:
        state = self._state()
        if self._board is None or (*state, *self._states(self._board.parts)) != self._stamp:
            self._board = None  # a site with mistakes has no board
            board = self._make()
            self._board, self._stamp = board, (*state, *self._states(board.parts))
        return self._board

    def _state(self) -> tuple[int, int]:
        try:
            state = self._site.stat()
        except OSError as error:
            raise OutsideError(f"{self._site} cannot be read: {error.strerror}") from None
        return state.st_mtime_ns, state.st_ino

    def _states(self, parts: Sequence[str]) -> tuple[object, ...]:
        """Modification time and inode of each of `parts`; None for a missing one, which loading the site reports."""
        files = [self._site.parent / name for name in parts]
        return tuple((file.stat().st_mtime_ns, file.stat().st_ino) if file.exists() else None for file in files)


def subject_members(design: Design, nodes: Sequence[str]) -> Mapping[SubjectKind, Mapping[str, Sequence[str]]]:
    """Racks, fabrics, pools, parts of pools by scheduler, scalable units and the site, each with those of `nodes` that
    belong to it.
    """
    groups = gate.node_groups(design, nodes)
    units: dict[str, list[str]] = defaultdict(list)
    places = {row["node"]: row for row in design.node_table.iter_rows(named=True)}
    for node in nodes:
        units[unit_name(places[node]["pool"], places[node]["scalable_unit"])].append(node)
    pools = {pool.name for pool in design.site.pools}
    return {
        "rack": groups["rack"],
        "fabric": groups["fabric"],
        "pool": {name: members for name, members in groups["cluster"].items() if name in pools},
        "part": {name: members for name, members in groups["cluster"].items() if name not in pools},
        "unit": units,
        "site": groups["site"],
    }
