"""Every problem of a file of gates in full, and chains of gates at their ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import gate
from rackwright.base.errors import ProblemsError, UsageError
from rackwright.gate.check_patterns import CheckRole, check_patterns, check_roles
from rackwright.gate.gates import load_chain, load_gates
from rackwright.gate.groups import decide_groups
from rackwright.model.gate import Gate
from rackwright.model.verdict import Outcome
from tests import build

AGE = {"hours": 24.0, "most_hours": 48.0, "skew_minutes": 5.0, "why": "a day"}
FIRST = {"name": "a", "after": "", "scope": "rack", "allow_degraded": False, "checks": ["x"], "evidence": AGE}
SECOND = {"name": "b", "after": "a", "scope": "rack", "allow_degraded": False, "checks": []}


def write(tmp_path: Path, *steps: dict, advisory: str = "") -> Path:
    rows = "".join(f"- {{{', '.join(f'{name}: {_text(value)}' for name, value in step.items())}}}\n" for step in steps)
    file = tmp_path / "gates.yaml"
    file.write_text(f"gates:\n{rows}" + (f"advisory: [{advisory}]\n" if advisory else ""))
    return file


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"after": ""}, ("b.after", "the gates are no chain", "'a'", "")),
        ({"name": "a"}, ("name", "the gate is given twice", "a new name", "a")),
        ({"allow_degraded": True}, ("b.allow_degraded", "the gate is wider than the one before", "false", "true")),
        ({"share": 1.01}, ("b.share", "is no share", "0 to 1", "1.01")),
        ({"share": -0.01}, ("b.share", "is no share", "0 to 1", "-0.01")),
        ({"coverage": 2.0}, ("b.coverage", "is no share", "0 to 1", "2")),
        ({"evidence": AGE | {"hours": 0.0}}, ("b.evidence.hours", "no evidence is that young", "more than 0", "0")),
        ({"evidence": AGE | {"hours": -1.5}}, ("b.evidence.hours", "no evidence is that young", "more than 0", "-1.5")),
        ({"scope": "node"}, ("b.scope", "the scope shrinks", "rack or larger", "node")),
    ],
)
def test_problems_of_a_gate(tmp_path, change, problem) -> None:
    first = FIRST if change.get("after", "a") else FIRST | {"name": "c"}
    with pytest.raises(ProblemsError) as caught:
        load_gates(write(tmp_path, first, SECOND | {"checks": ["y"]} | change))
    refused = [row for row in caught.value.problems if row.path == problem[0]]
    assert [(row.path, row.message, row.expected.replace("'c'", "'a'"), row.found) for row in refused] == [problem]
    assert (refused[0].place, refused[0].code) == (f"{tmp_path}/gates.yaml:3", "gate.refused")
    assert refused[0].next_step == "mend validators/gates.yaml"


@pytest.mark.parametrize("change", [{"share": 0.0}, {"share": 1.0}, {"coverage": 1.0}])
def test_numbers_at_the_ends_of_their_range(tmp_path, change) -> None:
    name, value = next(iter(change.items()))
    assert getattr(load_gates(write(tmp_path, FIRST, SECOND | change))["b"], name) == value


def test_a_first_gate_needs_a_pattern_and_an_advisory_check_a_reason(tmp_path) -> None:
    with pytest.raises(ProblemsError) as caught:
        load_gates(write(tmp_path, FIRST | {"checks": []}, advisory="{check: x, why: ' '}"))
    assert [(row.path, row.message, row.expected, row.found) for row in caught.value.problems] == [
        ("a.checks", "the gate asks for nothing", "at least one pattern", "[]"),
        ("why", "is empty", "why it decides nothing", "nothing"),
    ]


def test_a_file_without_gates(tmp_path) -> None:
    file = tmp_path / "gates.yaml"
    file.write_text("gates: []")
    with pytest.raises(ProblemsError) as caught:
        load_gates(file)
    [problem] = caught.value.problems
    assert (problem.place, problem.path, problem.message) == (str(file), "gates", "no gate")
    assert (problem.expected, problem.found) == ("a list of gates", "nothing")


def test_a_gate_requires_what_the_gates_before_it_require(tmp_path) -> None:
    steps = [
        FIRST | {"checks": ["x", "y"], "where_they_apply": ["u"], "when_run": ["v"]},
        SECOND
        | {
            "checks": ["y", "z"],
            "where_they_apply": ["w"],
            "evidence": AGE | {"hours": 5.0},
            "holds": True,
            "share": 0.5,
        },
        SECOND | {"name": "c", "after": "b", "scope": "site", "checks": ["x"]},
    ]
    gates = load_gates(write(tmp_path, *steps, advisory="{check: q, why: it is new}"))
    assert [step.checks for step in gates.values()] == [["x", "y"], ["x", "y", "z"], ["x", "y", "z"]]
    assert [step.where_they_apply for step in gates.values()] == [["u"], ["u", "w"], ["u", "w"]]
    assert [(step.when_run, step.advisory) for step in gates.values()] == [(["v"], ["q"])] * 3
    assert (gates["b"].holds, gates["b"].evidence.hours, gates["b"].share) == (True, 5, 0.5)
    assert (gates["c"].holds, gates["c"].evidence.hours, gates["c"].share) == (False, 5, 1)
    file = tmp_path / "gates.yaml"
    assert [[step.name for step in load_chain(name, file)] for name in "abc"] == [["a"], ["a", "b"], ["a", "b", "c"]]
    assert gate.load_gate("b", file) == gates["b"]
    with pytest.raises(UsageError, match=r"acceptance\.gates names the gate 'd'; validators/gates.yaml has a, b, c"):
        load_chain("d", file)


@pytest.mark.parametrize(
    ("check", "role", "patterns"),
    [
        ("gpu.count", CheckRole.ALWAYS, {"gpu.*", "gpu.c*"}),
        ("gpu.ecc", CheckRole.ALWAYS, {"gpu.*"}),
        ("net.mtu", CheckRole.ALWAYS, set()),
        ("gpu.burn", CheckRole.WHEN_RUN, {"gpu.*"}),
        ("gpu.fan", CheckRole.NEVER, {"gpu.*"}),
        ("gpu.burn_fan", CheckRole.NEVER, {"gpu.*"}),
        ("GPU.count", CheckRole.NEVER, set()),
    ],
)
def test_how_a_check_counts(check, role, patterns) -> None:
    step = Gate(
        name="a",
        allow_degraded=False,
        checks=["gpu.*", "gpu.c*"],
        where_they_apply=["net.*"],
        when_run=["gpu.burn*"],
        advisory=["gpu.*fan"],
    )
    assert (check_roles(step)(check), check_patterns(step)(check)) == (role, patterns)


@pytest.mark.parametrize(
    ("passed", "cables", "reason"),
    [
        (3, (199, 200), ""),
        (2, (200, 200), "66 % of 3 covered nodes passed, 67 % required"),
        (3, (189, 200), "94 % of 200 planned cables were observed, 95 % required"),
        (3, (0, 0), ""),
    ],
)
def test_what_a_fabric_requires(passed, cables, reason) -> None:
    step = Gate(name="a", allow_degraded=False, checks=["x"], scope="fabric", share=0.67, coverage=0.95)
    nodes = ["n1", "n2", "n3"]
    [decision] = decide_groups([step], {"a": nodes[:passed]}, {"fabric": {"f": nodes}}, [], {"f": cables})
    assert (decision.open, decision.passed, decision.covered) == (not reason, passed, 3)
    good = "100 % of 3 covered nodes passed"
    assert decision.reason == (reason or (f"{good}, 99 % of 200 planned cables were observed" if cables[1] else good))


def test_a_group_without_nodes_stays_closed_and_causes_are_said_once() -> None:
    step = Gate(name="a", allow_degraded=False, checks=["x*"], scope="rack")
    verdicts = [build.verdict(f"x{n}", "r", Outcome.FAIL, says="silent") for n in range(3)]
    verdicts += [build.verdict("x9", "r", Outcome.DEGRADED, says="hot"), build.verdict("y", "r", Outcome.FAIL)]
    [decision] = decide_groups([step], {"a": []}, {"rack": {"r": []}}, verdicts, {})
    assert decision.reason == "no node is covered, 100 % required; x0 and 2 more checks: silent; x9: hot"
