"""Evidence that does not speak of the node as it is now opens no gate."""

from __future__ import annotations

import pytest

from rackwright import gate
from rackwright.model.gate import Decision, GroupDecision
from rackwright.model.times import parse_time
from rackwright.model.verdict import Outcome
from tests import build

NOW = parse_time("2026-11-23T10:00:00+00:00")
NODES = ("train-001", "train-002")
GATES = list(gate.load_gates())
PLANT = {"r1": ["r1-A1-pdu"], "pod": ["cdu-1"]}


def decide(
    name: str, collected_at: str, plant: str = "", hours: dict[str, float] | None = None
) -> tuple[list[Decision], list[GroupDecision]]:
    """Decide at the shipped gate `name`, every check of which passes."""
    chain = gate.load_chain(name, hours=hours or {})
    checks = [pattern.replace("*", "x") for pattern in chain[-1].required()]
    verdicts = [build.verdict(check, node, Outcome.PASS) for node in NODES for check in checks]
    members = {"rack": {"r1": NODES}, "fabric": {"compute": NODES}, "cluster": {"train": NODES}, "site": {"pod": NODES}}
    collected = dict.fromkeys(NODES, parse_time(collected_at)) | dict.fromkeys(
        ["r1-A1-pdu", "cdu-1"], parse_time(plant or collected_at)
    )
    return gate.decide_all(chain, gate.GateInput(verdicts, NODES, [], NOW, collected, members, around=PLANT))


@pytest.mark.parametrize("name", GATES)
def test_evidence_of_2020_opens_no_gate(name: str) -> None:
    decisions, groups = decide(name, "2020-11-23T10:00:00+00:00")
    assert [decision.blocking for decision in decisions] == [["evidence.age"]] * 2
    assert not any(group.open for group in groups)
    assert "evidence of 2020-11-23, 2191 days old, " in decisions[0].reason
    assert all(decision.accepted for decision in decide(name, "2026-11-23T09:00:00+00:00")[0]), (
        "the same, collected now"
    )


@pytest.mark.parametrize("name", GATES)
def test_evidence_dated_in_the_future_opens_no_gate(name: str) -> None:
    decisions, groups = decide(name, "2031-01-01T00:00:00+00:00")
    assert not any(decision.accepted for decision in decisions)
    assert not any(group.open for group in groups)
    assert (
        "was taken at 2031-01-01T00:00, after this decision (2026-11-23T10:00, 5 minutes allowed)"
        in decisions[0].reason
    )
    assert all(decision.accepted for decision in decide(name, "2026-11-23T10:05:00+00:00")[0]), "clocks differ a little"


@pytest.mark.parametrize(("name", "group"), [("rack", "r1"), ("handover", "pod")])
def test_old_evidence_of_a_pdu_or_cdu_opens_no_rack_and_no_site(name: str, group: str) -> None:
    _, groups = decide(name, "2026-11-23T09:00:00+00:00", plant="2020-11-23T10:00:00+00:00")
    [closed] = [decision for decision in groups if decision.gate == name]
    assert (closed.group, closed.open) == (group, False)
    assert f"{PLANT[group][0]}: evidence of 2020-11-23, 2191 days old" in closed.reason


@pytest.mark.parametrize(
    ("hours", "allowed"),
    [({}, 336), ({"node": 24.0}, 24), ({"node": 720.0}, 720), ({"node": 9000.0}, 720), ({"rack": 24.0}, 24)],
)
def test_a_site_widens_no_gate_beyond_its_bound_nor_beyond_the_gate_before_it(
    hours: dict[str, float], allowed: float
) -> None:
    chain = gate.load_chain("rack", hours=hours)
    assert chain[-1].evidence is not None
    assert chain[-1].evidence.hours == min(allowed, 336 if "rack" not in hours else 24)


def test_ages_and_validity_are_printed_in_numbers() -> None:
    [decision, _] = decide("handover", "2026-11-20T10:00:01+00:00")[0]
    assert decision.evidence == "evidence of 2026-11-20, 3 days old, 7 allowed, until 2026-11-27T10:00"
    [decision, _] = decide("handover", "2026-11-16T09:59:59+00:00")[0]
    assert decision.evidence.startswith("evidence of 2026-11-16, 7.1 days old, 7 allowed"), (
        "never 7 of 7 where it is refused"
    )
