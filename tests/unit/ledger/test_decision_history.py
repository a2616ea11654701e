"""What gates decided on nodes and groups: what holds now, and since when."""

from __future__ import annotations

import pytest

from rackwright.ledger import Ledger
from rackwright.model.gate import GroupDecision
from rackwright.model.node_state import DecidedState
from tests import build
from tests.unit.ledger.test_ledger import Ticking


@pytest.fixture
def ledger(tmp_path):
    opened = Ledger(f"sqlite:///{tmp_path / 'ledger.db'}", Ticking())
    yield opened
    opened.close()


def rack(*, is_open: bool = True, covered: int = 4) -> GroupDecision:
    return GroupDecision(gate="rack", scope="rack", group="r1", open=is_open, passed=4, covered=covered, reason="why")


def gate(ledger, *accepted: bool, kind: str = "gate", site: str = "pod", groups=(), states=None) -> str:
    """A run of the gate over nodes n0, n1 ..."""
    run = ledger.begin(site, kind, {})
    decisions = [build.decision(f"n{place}", accepted=value) for place, value in enumerate(accepted)]
    ledger.record_decisions(run, decisions, groups, states)
    return run


def test_a_decision_stands_since_the_first_of_its_kind_without_another_between(ledger) -> None:
    gate(ledger, True, True)
    gate(ledger, False, True)
    first = gate(ledger, True, True)
    last = gate(ledger, True, True)
    standings = {standing.node: standing for standing in ledger.node_standings("pod")}
    events = [event for event in ledger.history("n0") if event.run == first]
    assert (standings["n0"].accepted, standings["n0"].run, standings["n0"].since) == (True, last, events[0].when)
    assert standings["n1"].since == ledger.history("n1")[0].when


def test_nodes_of_a_smaller_run_leave_the_rest_as_it_was(ledger) -> None:
    gate(ledger, True, True)
    gate(ledger, False)
    assert {s.node: s.accepted for s in ledger.node_standings("pod")} == {"n0": False, "n1": True}


def test_rehearsals_and_further_sites_are_apart(ledger) -> None:
    gate(ledger, True, kind="rehearse")
    gate(ledger, True, site="elsewhere")
    assert ledger.node_standings("pod") == []
    assert [standing.node for standing in ledger.node_standings("pod", rehearsals=True)] == ["n0"]
    assert len(ledger.node_standings("elsewhere")) == 1


def test_the_state_that_was_decided_on_comes_along(ledger) -> None:
    state = DecidedState("d" * 64, "boot", "580.95.05")
    gate(ledger, True, True, states={"n0": state, "cdu-1": state})
    assert {s.node: s.state for s in ledger.node_standings("pod")} == {"n0": state, "n1": DecidedState()}


def test_groups_stand_by_gate_and_by_how_many_nodes_were_covered(ledger) -> None:
    gate(ledger, True, groups=[rack()])
    gate(ledger, True, groups=[rack(is_open=False, covered=1)])
    gate(ledger, True, groups=[rack()])
    standings = ledger.group_standings("pod")
    assert [(s.covered, s.open) for s in standings] == [(1, False), (4, True)]
    assert standings[1].since < standings[0].since


def test_who_reads_decisions_lets_others_write(ledger) -> None:
    gate(ledger, True)
    with ledger._reading() as session:
        ledger.head()
        gate(ledger, False)
        session.connection()
    assert not ledger.node_standings("pod")[0].accepted
