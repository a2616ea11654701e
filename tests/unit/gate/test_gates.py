from __future__ import annotations

from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest

from rackwright import gate
from rackwright.base.errors import ProblemsError, UsageError
from rackwright.gate.check_patterns import matches
from rackwright.gate.waiver_policy import WaiverPolicy, last_day, void_waivers
from rackwright.gate.waivers import covers
from rackwright.model.check import FleetCheck
from rackwright.model.verdict import Outcome
from tests import build

AGE = "evidence: {hours: 24.0, most_hours: 48.0, skew_minutes: 5.0, why: a day}"
FIRST = f"{{name: node, after: '', allow_degraded: true, checks: [gpu.*], {AGE}}}"


def test_the_shipped_gates_are_a_chain_that_only_narrows() -> None:
    gates = gate.load_gates()
    assert list(gates) == ["node", "rack", "fabric", "cluster", "handover"]
    assert [step.scope for step in gates.values()] == ["node", "rack", "fabric", "cluster", "site"]
    patterns = [{*step.checks, *step.where_they_apply} for step in gates.values()]
    assert all(before <= after for before, after in pairwise(patterns))
    assert patterns[0] < patterns[-1]
    assert not gates["handover"].allow_degraded
    assert all(step.evidence is not None for step in gates.values())


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"gates:\n- {FIRST}\n- {{name: b, after: x, allow_degraded: false, checks: [a]}}", "gates.yaml:3: b.after: the gates are no chain"),
        (f"gates:\n- {FIRST}\n- {{name: b, after: '', allow_degraded: false, checks: [a]}}", "no chain"),
        (f"gates:\n- {FIRST}\n- {{name: node, after: node, allow_degraded: false, checks: [a]}}", "given twice"),
        ("gates:\n- {name: node, after: '', allow_degraded: true, checks: []}", "asks for nothing"),
        ("gates:\n- {name: a, after: '', allow_degraded: false, checks: [x]}\n- {name: b, after: a, allow_degraded: true, checks: []}", "wider than the one before"),
        ("gates:\n- {name: node, after: '', checks: [x]}", "gates[0].allow_degraded: refused"),
        ("gates:\n- {name: node, after: '', allow_degraded: yes please, checks: [x]}", "gates[0].allow_degraded: refused"),
        ("gates: []", "no gate"),
        ("", "no gate"),
    ],
)  # fmt: skip
def test_a_bad_file_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "gates.yaml"
    file.write_text(text)
    with pytest.raises(ProblemsError) as caught:
        gate.load_gates(file)
    assert problem in str(caught.value)


CHAIN = f"gates:\n- {{name: a, scope: rack, after: '', allow_degraded: true, checks: [x], {AGE}}}\n"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (CHAIN + "- {name: b, scope: node, after: a, allow_degraded: true, checks: []}", "gates.yaml:3: b.scope: the scope shrinks"),
        (CHAIN + "- {name: b, scope: site, after: a, allow_degraded: true, checks: [], share: 1.5}", "b.share: is no share"),
        (CHAIN + "- {name: b, scope: site, after: a, allow_degraded: true, checks: [], coverage: -1.0}", "b.coverage: is no share"),
        (CHAIN + "- {name: b, scope: site, after: a, allow_degraded: true, checks: [], " + AGE.replace("24.0", "0.0") + "}", "b.evidence.hours: no evidence is that young"),
        (CHAIN + "- {name: b, scope: site, after: a, allow_degraded: true, checks: [], " + AGE.replace("24.0", "25.0") + "}", "b.evidence.hours: the gate is wider"),
        (CHAIN.replace("hours: 24.0", "hours: 49.0"), "a.evidence.most_hours: is less than hours"),
        (CHAIN.replace("minutes: 5.0", "minutes: -5.0"), "a.evidence.skew_minutes: is negative"),
        (CHAIN.replace("a day", "' '"), "a.evidence.why: is empty"),
        (CHAIN.replace(f", {AGE}", ""), "a.evidence: no age is allowed for evidence"),
        (CHAIN + "- {name: b, scope: hall, after: a, allow_degraded: true, checks: []}", "gates[1].scope: refused"),
        (CHAIN + "advisory: [{check: x, why: ' '}]", "gates.yaml:3: why: is empty"),
        (CHAIN + "advisory: [x]", "advisory[0]: refused"),
    ],
)  # fmt: skip
def test_policy_that_means_nothing_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "gates.yaml"
    file.write_text(text)
    with pytest.raises(ProblemsError) as caught:
        gate.load_gates(file)
    assert problem in str(caught.value)


def test_every_check_is_asked_for_or_named_as_advisory() -> None:
    last = list(gate.load_gates().values())[-1]
    checks = tuple(build.judge.load_checks())
    patterns = [*last.checks, *last.where_they_apply, *last.when_run]
    undecided = [check for check in checks if not matches(check, patterns) and check not in last.advisory]
    assert undecided == [], "asked for by no gate: add them to a gate, or to `advisory` with a reason"
    assert [name for name in last.advisory if name not in checks] == []
    assert [pattern for pattern in patterns if not any(matches(check, [pattern]) for check in checks)] == []


def test_a_node_without_peers_is_not_refused_for_it() -> None:
    last = list(gate.load_gates().values())[-1]
    fleet = [name for name, check in build.judge.load_checks().items() if isinstance(check, FleetCheck)]
    assert [name for name in fleet if not matches(name, [*last.when_run, *last.advisory])] == []


def test_a_gate_that_does_not_exist_is_wrong_usage() -> None:
    assert gate.load_gate("handover").name == "handover"
    with pytest.raises(UsageError, match="node, rack, fabric, cluster, handover"):
        gate.load_gate("hand-over")


POLICY = WaiverPolicy(days=90)
WAIVER = "{check: gpu.count, node: train-001, reason: spare ordered, by: A. Person, until: 2026-12-31}"


def load(tmp_path: Path, *rows: str):
    file = tmp_path / "waivers.yaml"
    file.write_text("waivers:\n" + "".join(f"- {row}\n" for row in rows))
    return gate.load_waivers(file, {"gpu.count", "gpu.ecc"}, {"train-001"}, POLICY)


def test_waivers_load(tmp_path: Path) -> None:
    assert load(tmp_path, WAIVER) == [build.waiver()]
    assert gate.load_waivers(None, set(), set(), POLICY) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("gpu.count", "gpu.cuont"), "waivers.yaml:2: check: does not exist"),
        (("gpu.count", "gpu.*"), "check: is a pattern"),
        (("train-001", "train-*"), "node: is a pattern"),
        (("train-001", "train-999"), "node: does not exist"),
        (("spare ordered", "' '"), "reason: is empty"),
        (("A. Person", "''"), "by: is empty"),
        (("2026-12-31", "2026-13-31"), "until: is no date"),
        (("2026-12-31", "next year"), "until: is no date"),
        (("until: 2026-12-31", "forever: true"), "waivers[0].forever: refused"),
        (("node: train-001", "node: train-001, object: GPU *"), "object: is a pattern"),
        ((", until: 2026-12-31", ""), "waivers[0].until: refused"),
    ],
)
def test_a_bad_waiver_is_refused(tmp_path: Path, change: tuple[str, str], problem: str) -> None:
    with pytest.raises(ProblemsError) as caught:
        load(tmp_path, WAIVER.replace(*change))
    assert problem in str(caught.value)


def test_two_waivers_of_one_thing_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ProblemsError, match="is waived twice"):
        load(tmp_path, WAIVER, WAIVER.replace("2026-12-31", "2027-12-31"))


def test_a_waiver_that_is_over_is_named() -> None:
    waivers = [build.waiver(until="2026-11-20"), build.waiver("gpu.ecc", until="2026-11-21")]
    [sentence] = void_waivers(waivers, POLICY, date(2026, 11, 21))
    assert sentence == "train-001: the waiver of gpu.count by A. Person ended on 2026-11-20 and no longer holds"


def test_waivers_of_two_parts_are_two_waivers(tmp_path: Path) -> None:
    rows = [WAIVER.replace("node:", f"object: {part}, node:") for part in ("GPU 3", "GPU 5")]
    assert [waiver.object for waiver in load(tmp_path, *rows)] == ["GPU 3", "GPU 5"]
    with pytest.raises(ProblemsError, match="is waived twice"):
        load(tmp_path, *rows, rows[0])


THREE = "GPU 3 (00000000:4e:00.0, serial 1650124000003): 2 errors"


@pytest.mark.parametrize(
    ("part", "observed", "covered"),
    [
        ("", "anything at all", True),
        ("GPU 3", THREE, True),
        ("1650124000003", THREE, True),
        ("GPU 3", f"{THREE}; GPU 5 (00000000:70:00.0, serial 5): 2 errors", False),
        ("GPU 3", THREE.replace("GPU 3", "GPU 31"), False),
        ("GPU 3", "7 of 8", False),
        ("GPU", f"{THREE}; GPU 5 (00000000:70:00.0, serial 5): 2 errors", False),
        ("eth0", "eth0 12", True),
        ("roll-up", "roll-up: Critical", True),
        ("GPU 3", "", False),
    ],
)
def test_a_waiver_of_a_part_covers_that_part_alone(part: str, observed: str, covered: bool) -> None:
    verdict = build.verdict(outcome=Outcome.FAIL, observed=observed)
    assert covers(build.waiver(object=part), verdict) is covered
    assert not covers(build.waiver("gpu.ecc", object=part), verdict)
    assert not covers(build.waiver(node="train-002", object=part), verdict)


@pytest.mark.parametrize(
    ("since", "until", "days", "end"),
    [
        ("", "2026-11-25", 90, "2026-11-25"),
        ("2026-11-01", "2026-11-25", 90, "2026-11-25"),
        ("2026-11-01", "2036-11-01", 90, "2027-01-30"),
        ("2026-11-01", "2036-11-01", 10, "2026-11-11"),
    ],
)
def test_a_waiver_ends_at_the_latest_as_policy_says(since: str, until: str, days: int, end: str) -> None:
    assert last_day(build.waiver(since=since, until=until), WaiverPolicy(days=days)) == date.fromisoformat(end)
