"""What fleet checks take: once for those that take the same, in design order, and a crash for all."""

from __future__ import annotations

from rackwright import judge
from rackwright.judge.batch import Judge
from rackwright.judge.fleet import Joining
from rackwright.judge.run import expect, verdicts
from rackwright.model.check import FleetCheck
from rackwright.model.evidence.bmc import Bmc
from rackwright.model.verdict import Finding, Outcome
from tests import build

NAMES = [f"train-{number:03d}" for number in range(1, 5)]


def alike(peers):
    """Says which nodes were compared, in their order."""
    seen = " ".join(expectation.node.name for expectation, _ in peers)
    return {
        one.node.name: Finding(outcome=Outcome.FAIL, observed=seen, expected="", source="", says=one.node.name)
        for one, _ in peers
    }


def joined(checks: dict[str, FleetCheck]):
    """Verdicts of two parts, which are those of the whole; what the first part took."""
    evidence = {name: build.node_evidence(name) for name in NAMES}
    expected = expect(build.site_design(), {}, build.limit_table(), NAMES)
    parts = [Judge(checks).part(own, evidence) for own in (expected[:3], expected[3:])]
    joining = Joining(expected, parts, checks)
    found = joining.tally([joining.compared(name) for name in joining.fleet_checks])
    dated = expect(build.site_design(), dict.fromkeys(NAMES, evidence[NAMES[0]].taken), build.limit_table(), NAMES)
    assert list(found.verdicts) == list(verdicts(dated, evidence, checks, NAMES))
    return list(found.verdicts), parts[0].taken


def check(takes, applies=lambda _: True) -> FleetCheck:
    return FleetCheck(title="t", reads=Bmc, judge=alike, takes=takes, applies=applies)


def test_checks_that_take_the_same_take_once() -> None:
    asked = []

    def takes(seen: Bmc) -> str:
        asked.append(seen)
        return seen.serial

    _, taken = joined({"peers.one": check(takes), "peers.two": check(takes)})
    assert list(taken.columns) == [("peers.one", "peers.two")]
    assert len(asked) == len(NAMES) + 2 * len(NAMES)  # the parts, and each check of the whole


def test_nodes_keep_their_order_where_only_some_are_asked_by_both_checks() -> None:
    def takes(seen: Bmc) -> str:
        return seen.serial

    some = check(takes, applies=lambda expectation: expectation.node.name != "train-002")
    found, taken = joined({"peers.one": check(takes), "peers.two": some})
    assert set(taken.columns) == {("peers.one",), ("peers.one", "peers.two")}
    assert {one.observed for one in found if one.check == "peers.one"} == {" ".join(NAMES)}
    assert {one.observed for one in found if one.check == "peers.two"} == {"train-001 train-003 train-004"}


def test_a_crash_is_one_of_every_check_that_takes_so() -> None:
    def takes(seen: Bmc) -> str:
        raise ZeroDivisionError(seen.serial and "no")

    found, _ = joined({"peers.one": check(takes), "peers.two": check(takes)})
    assert {(one.check, one.outcome) for one in found} == {
        ("peers.one", Outcome.INCONCLUSIVE),
        ("peers.two", Outcome.INCONCLUSIVE),
    }


def test_what_was_never_taken_is_said_of_every_node_by_its_name() -> None:
    checks = {name: one for name, one in judge.checks().items() if name == "rail.latency"}
    evidence = {name: build.node_evidence(name) for name in NAMES}
    for one in evidence.values():
        one.records.pop(checks["rail.latency"].reads, None)
    expected = expect(build.site_design(), {}, build.limit_table(), NAMES)
    part = Judge(checks).part(expected, evidence)
    assert len({id(finding) for _, _, finding, _ in part.rows}) == 1
    found = Joining(expected, [part], checks).tally([]).verdicts
    assert [one.says.split(":")[0] for one in found] == NAMES
