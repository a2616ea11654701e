"""The part of the ledger that stores the decisions of gates, and returns those that hold now and since when."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

from sqlalchemy import Select, Subquery, and_, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from rackwright.ledger.chain import LinkWriter
from rackwright.ledger.part_history import REHEARSAL
from rackwright.ledger.tables import DecidedStateRow, DecisionRow, GroupDecisionRow, RunRow
from rackwright.model.gate import Decision, GroupDecision
from rackwright.model.last_decisions import GroupStanding, NodeStanding
from rackwright.model.node_state import DecidedState

Column = InstrumentedAttribute[Any]


class DecisionHistory(ABC):
    """Decisions of gates; mixed into `Ledger`, which provides sessions and the clock."""

    @abstractmethod
    def _reading(self) -> AbstractContextManager[Session]:
        """One transaction that only reads."""

    @abstractmethod
    def _writing(self) -> AbstractContextManager[tuple[Session, LinkWriter]]:
        """One transaction that writes."""

    @abstractmethod
    def _now(self) -> datetime:
        """The time to write."""

    def record_decisions(
        self,
        run: str,
        decisions: Iterable[Decision],
        groups: Iterable[GroupDecision] = (),
        states: Mapping[str, DecidedState] | None = None,
    ) -> None:
        """Store the decisions of a run, replacing earlier ones of the same run; `states` are the states of the nodes,
        by name.
        """
        moment = self._now()
        nodes = [
            {"run": run, "node": d.node, "accepted": d.accepted, "reason": d.reason, "recorded": moment}
            for d in decisions
        ]
        of_groups = [
            {"run": run, "gate": d.gate, "scope": d.scope, "group": d.group, "open": d.open, "covered": d.covered,
             "reason": d.reason, "recorded": moment}
            for d in groups
        ]  # fmt: skip
        decided = {row["node"] for row in nodes}
        of_nodes = [
            {"run": run, "node": node, "design": state.design, "boot": state.boot, "driver": state.driver}
            for node, state in (states or {}).items()
            if node in decided
        ]
        with self._writing() as (_, link):
            for table, rows in ((DecisionRow, nodes), (GroupDecisionRow, of_groups), (DecidedStateRow, of_nodes)):
                link.clear(table, run)
                link.add(table, rows)

    def node_standings(self, site: str, *, rehearsals: bool = False) -> list[NodeStanding]:
        """The newest decision on each node of a site; those of rehearsals count only with `rehearsals`, for machines of
        a twin.
        """
        streak, began = (
            _streaks((DecisionRow.node,), DecisionRow.accepted, _runs(site, rehearsals)),
            aliased(DecisionRow),
        )
        state = and_(DecidedStateRow.run == DecisionRow.run, DecidedStateRow.node == DecisionRow.node)
        query = (
            select(DecisionRow, DecidedStateRow, began.recorded)
            .join(streak, streak.c.id == DecisionRow.id)
            .join(began, began.id == streak.c.first)
            .outerjoin(DecidedStateRow, state)
        )
        with self._reading() as session:
            return [
                NodeStanding(row.node, row.accepted, row.reason, since, row.run, _state(of_node))
                for row, of_node, since in session.execute(query)
            ]

    def group_standings(self, site: str, *, rehearsals: bool = False) -> list[GroupStanding]:
        """The newest decision of each gate on each group, for each number of covered nodes, oldest first."""
        keys = (GroupDecisionRow.gate, GroupDecisionRow.scope, GroupDecisionRow.group, GroupDecisionRow.covered)
        streak, began = _streaks(keys, GroupDecisionRow.open, _runs(site, rehearsals)), aliased(GroupDecisionRow)
        query = (
            select(GroupDecisionRow, began.recorded)
            .join(streak, streak.c.id == GroupDecisionRow.id)
            .join(began, began.id == streak.c.first)
            .order_by(GroupDecisionRow.id)
        )
        with self._reading() as session:
            return [
                GroupStanding(row.gate, row.scope, row.group, row.open, row.covered, row.reason, since, row.run)
                for row, since in session.execute(query)
            ]


def _state(row: DecidedStateRow | None) -> DecidedState:
    return DecidedState(row.design, row.boot, row.driver) if row else DecidedState()


def _runs(site: str, rehearsals: bool) -> Select[str]:
    of_site = select(RunRow.id).where(RunRow.site == site)
    return of_site if rehearsals else of_site.where(RunRow.kind != REHEARSAL)


def _streaks(keys: Sequence[Column], value: Column, runs: Select[str]) -> Subquery:
    """For each combination of `keys`: the ``id`` of the newest row, and of the ``first`` row since which `value` has
    not changed.
    """
    table = keys[0].class_
    newest = select(func.max(table.id).label("id")).where(table.run.in_(runs)).group_by(*keys).subquery("newest")
    last = select(table.id, *keys, value).join(newest, newest.c.id == table.id).subquery("last")
    same = and_(*(column == last.c[column.key] for column in keys))
    flip = (
        select(last.c.id, func.max(table.id).label("flip"))
        .join(last, same)
        .where(table.run.in_(runs), value != last.c[value.key])
        .group_by(last.c.id)
        .subquery("flip")
    )
    return (
        select(last.c.id, func.min(table.id).label("first"))
        .join(last, same)
        .outerjoin(flip, flip.c.id == last.c.id)
        .where(table.run.in_(runs), or_(flip.c.flip.is_(None), table.id > flip.c.flip))
        .group_by(last.c.id)
        .subquery("streak")
    )
