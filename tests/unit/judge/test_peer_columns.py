"""What fleet checks take: once for those that take the same, in design order, and a crash for all."""

from __future__ import annotations

from rackwright import judge
from rackwright.judge.engine import Engine
from rackwright.judge.expect import expect
from rackwright.judge.judgement import join
from rackwright.model.check import FleetCheck
from rackwright.model.evidence.bmc import BmcEvidence
from rackwright.model.lazy_finding import passed
from rackwright.model.verdict import Finding, Outcome
from tests import build

NAMES = [f"train-{number:03d}" for number in range(1, 5)]


def alike(peers):
    """Says which nodes were compared, in their order."""
    record = " ".join(expectation.node.name for expectation, _ in peers)
    return {
        verdict.node.name: Finding(
            outcome=Outcome.FAIL, observed=record, expected="", source="", says=verdict.node.name
        )
        for verdict, _ in peers
    }


def joined(checks: dict[str, FleetCheck]):
    """Verdicts of two parts, which are those of the whole; what the first part took."""
    evidence = {name: build.node_evidence(name) for name in NAMES}
    expected = expect(build.site_design(), {}, build.limit_table(), NAMES)
    parts = [Engine(checks, passes=True).judge(some, evidence) for some in (expected[:3], expected[3:])]
    verdicts = list(join(expected, parts, checks, passes=True).verdicts)
    undivided = Engine(checks, passes=True).judge(expected, evidence)
    assert verdicts == list(join(expected, [undivided], checks, passes=True).verdicts)
    return verdicts, parts[0].peers


def check(takes, applies=lambda _: True) -> FleetCheck:
    return FleetCheck(title="t", reads=BmcEvidence, judge=alike, takes=takes, applies=applies)


def test_checks_that_take_the_same_take_once() -> None:
    calls = []

    def takes(record: BmcEvidence) -> str:
        calls.append(record)
        return record.serial

    _, columns = joined({"peers.one": check(takes), "peers.two": check(takes)})
    assert list(columns.columns) == [("peers.one", "peers.two")]
    assert len(calls) == 2 * len(NAMES)  # the parts, and the whole


def test_nodes_keep_their_order_where_only_some_are_asked_by_both_checks() -> None:
    def takes(record: BmcEvidence) -> str:
        return record.serial

    some = check(takes, applies=lambda expectation: expectation.node.name != "train-002")
    verdicts, columns = joined({"peers.one": check(takes), "peers.two": some})
    assert set(columns.columns) == {("peers.one",), ("peers.one", "peers.two")}
    assert {verdict.observed for verdict in verdicts if verdict.check == "peers.one"} == {" ".join(NAMES)}
    assert {verdict.observed for verdict in verdicts if verdict.check == "peers.two"} == {
        "train-001 train-003 train-004"
    }


def test_a_crash_is_one_of_every_check_that_takes_so() -> None:
    def takes(record: BmcEvidence) -> str:
        raise ZeroDivisionError(record.serial and "no")

    verdicts, _ = joined({"peers.one": check(takes), "peers.two": check(takes)})
    assert {(verdict.check, verdict.outcome) for verdict in verdicts} == {
        ("peers.one", Outcome.INCONCLUSIVE),
        ("peers.two", Outcome.INCONCLUSIVE),
    }


def test_what_was_never_taken_is_said_of_every_node_by_its_name() -> None:
    checks = {name: verdict for name, verdict in judge.load_checks().items() if name == "rail.latency"}
    evidence = {name: build.node_evidence(name) for name in NAMES}
    for stored in evidence.values():
        stored.records.pop(checks["rail.latency"].reads, None)
    expected = expect(build.site_design(), {}, build.limit_table(), NAMES)
    part = Engine(checks, passes=False).judge(expected, evidence)
    assert len({id(finding) for _, _, finding, _ in part.rows}) == 1
    verdicts = join(expected, [part], checks, passes=False).verdicts
    assert [verdict.says.split(":")[0] for verdict in verdicts] == NAMES


def test_a_pass_that_cannot_be_worded_is_inconclusive() -> None:
    def crash() -> Finding:
        raise ZeroDivisionError("no")

    fleet = FleetCheck(
        title="t", reads=BmcEvidence, judge=lambda peers: {peer.node.name: passed(crash) for peer, _ in peers}
    )
    verdicts, _ = joined({"peers.one": fleet})
    assert {(verdict.outcome, verdict.says) for verdict in verdicts} == {
        (Outcome.INCONCLUSIVE, f"{name}: check peers.one crashed, ZeroDivisionError: no") for name in NAMES
    }
