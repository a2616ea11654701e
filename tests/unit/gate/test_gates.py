from __future__ import annotations

from pathlib import Path

import pytest

from rackwright import gate
from rackwright.errors import ProblemsError, UsageError
from rackwright.gate.waivers import void
from tests import build

FIRST = "{name: node, after: '', allow_degraded: true, checks: [gpu.*]}"


def test_the_shipped_gates_are_a_chain_that_only_narrows() -> None:
    gates = gate.gates()
    assert list(gates) == ["node", "cluster", "handover"]
    assert set(gates["node"].checks) < set(gates["cluster"].checks) <= set(gates["handover"].checks)
    assert not gates["handover"].allow_degraded


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
        gate.gates(file)
    assert problem in str(caught.value)


def test_a_gate_that_does_not_exist_is_wrong_usage() -> None:
    assert gate.chosen("handover").name == "handover"
    with pytest.raises(UsageError, match="node, cluster, handover"):
        gate.chosen("hand-over")


WAIVER = "{check: gpu.count, node: train-001, reason: spare ordered, by: A. Person, until: 2026-12-31}"


def load(tmp_path: Path, *rows: str):
    file = tmp_path / "waivers.yaml"
    file.write_text("waivers:\n" + "".join(f"- {row}\n" for row in rows))
    return gate.waivers(file, {"gpu.count", "gpu.ecc"}, {"train-001"})


def test_waivers_load(tmp_path: Path) -> None:
    assert load(tmp_path, WAIVER) == [build.waiver()]
    assert gate.waivers(None, set(), set()) == []


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
    [sentence] = void(waivers, "2026-11-21")
    assert sentence == "train-001: the waiver of gpu.count by A. Person ended on 2026-11-20 and no longer holds"
