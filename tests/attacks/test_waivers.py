"""A waiver covers a known defect, for a while, in the name of persons who may waive: nothing else."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from rackwright.base.errors import ProblemsError
from rackwright.cli.accept import waive
from rackwright.cli.main import main
from rackwright.flow import signed_bundle
from rackwright.gate import WaiverPolicy, in_force, load_waivers, void_waivers
from rackwright.model.site import Acceptance, Approver
from tests import build

TODAY = date(2026, 11, 23)
ROW = ["--check", "gpu.row_remap", "--node", "train-001", "--object", "GPU 3"]
WHY = ["--reason", "spare ordered", "--until", "2026-12-31"]
ACCEPTANCE = """  gates: handover
  waivers: waivers.yaml
  approvers: [{name: Ann Ng, contact: ann@example.org}, {name: Bo Li}, {name: Cy Roe}]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(waive, "today", lambda: TODAY)
    (tmp_path / "site.yaml").write_text(build.EXAMPLE.read_text().replace("  gates: handover\n", ACCEPTANCE))
    (tmp_path / "waivers.yaml").write_text("waivers: []\n")
    return tmp_path


def call(capsys: pytest.CaptureFixture[str], folder: Path, *argv: str) -> tuple[int, str]:
    code = main(["waive", str(folder), *argv])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def change_site(folder: Path, before: str, after: str) -> None:
    site = folder / "site.yaml"
    site.write_text(site.read_text().replace(before, after))


def test_a_waiver_for_ten_years_is_refused(folder: Path, capsys) -> None:
    code, text = call(capsys, folder, *ROW, "--reason", "r", "--by", "Ann Ng", "--until", "2036-11-23")
    assert (code, "--until 2036-11-23 is too far away: a waiver holds until 2027-02-21 at the latest" in text) == (
        2,
        True,
    ), text
    assert (folder / "waivers.yaml").read_text() == "waivers: []\n"
    change_site(folder, "  gates: handover\n", "  gates: handover\n  policy: {waiver_days: 3653}\n")
    code, text = call(capsys, folder, "--list")
    assert (code, "acceptance.policy.waiver_days: is longer than a waiver may hold" in text) == (1, True), text


def test_a_waiver_for_ten_years_that_is_stored_already_counts_up_to_the_maximum() -> None:
    policy = WaiverPolicy(days=90)
    written = build.waiver(since="2026-11-01", until="2036-11-01")
    assert [len(in_force([written], policy, day)) for day in (date(2027, 1, 30), date(2027, 1, 31))] == [1, 0]
    assert (
        "of 2026-11-01 ended on 2027-01-30: one holds for 90 days"
        in void_waivers([written], policy, date(2027, 1, 31))[0]
    )
    undated = build.waiver(until="2036-11-01")
    assert in_force([undated], policy, TODAY) == []
    assert "no `since` says from when" in void_waivers([undated], policy, TODAY)[0]
    assert in_force([build.waiver(since="2026-12-01", until="2026-12-31")], policy, TODAY) == [], (
        "granted in the future"
    )


def test_a_waiver_by_an_unknown_person_is_refused(folder: Path, capsys) -> None:
    code, text = call(capsys, folder, *ROW, *WHY, "--by", "Mallory")
    assert (code, "by: may not waive" in text, "Ann Ng, Bo Li, Cy Roe" in text) == (1, True, True), text
    assert (folder / "waivers.yaml").read_text() == "waivers: []\n"


def test_one_person_does_not_agree_twice(folder: Path, capsys) -> None:
    change_site(folder, "  gates: handover\n", "  gates: handover\n  policy: {waiver_approvals: 2}\n")
    code, text = call(capsys, folder, *ROW, *WHY, "--by", "Ann Ng")
    assert (code, "does not count before another approver confirmed it" in text) == (0, True), text
    for person in ("Ann Ng", "ann ng ", "Mallory"):
        code, text = call(capsys, folder, *ROW, "--approve", "--by", person)
        assert (code, "is no other person" in text or "may not waive" in text) == (1, True), text
    assert "approved_by" not in (folder / "waivers.yaml").read_text()
    assert "does not count before" in call(capsys, folder, "--list")[1]
    code, text = call(capsys, folder, *ROW, "--approve", "--by", "Bo Li")
    assert (code, "is waived by Ann Ng and Bo Li" in text) == (0, True), text
    assert call(capsys, folder, *ROW, "--approve", "--by", "Cy Roe")[0] == 0
    assert (
        "Ann Ng, confirmed by Bo Li, confirmed by Cy Roe, until 2026-12-31: 38 days left"
        in call(capsys, folder, "--list")[1]
    )


@pytest.mark.parametrize(
    "text",
    [
        "waivers:\n- {check: c, node: n, reason: r, by: Ann Ng, until: 2026-12-31}\n",
        "waivers:\n- check: c\n  approved_by:\n    - Ann Ng  # by phone\n  node: n\n",
        "waivers:\n  - check: c\n    node: n  # end\nother: 1\n",
    ],
)
def test_a_confirmation_leaves_the_rest_of_the_file_alone(text: str) -> None:
    import yaml

    from rackwright.gate.waiver_file import approve_waiver

    after = approve_waiver(text, 0, "Bo Li")
    assert [line for line in text.splitlines() if line not in after.splitlines()] == [] or after.count(
        "\n"
    ) == text.count("\n")
    before, changed = yaml.safe_load(text), yaml.safe_load(after)
    before["waivers"][0].setdefault("approved_by", []).append("Bo Li")
    assert changed == before


@pytest.mark.parametrize("check", ["gpu.count", "memory.dimms", "nic.count", "drives.count", "bmc.psus"])
def test_a_count_is_not_waived_for_a_whole_node(check: str, folder: Path, capsys) -> None:
    row = ["--check", check, "--node", "train-001", *WHY, "--by", "Ann Ng"]
    code, text = call(capsys, folder, *row)
    assert (code, "object: is empty" in text, "all that goes missing later would be accepted" in text) == (
        1,
        True,
        True,
    ), text
    assert call(capsys, folder, *row, "--object", "5 of 6")[0] == 0, "what was found is what is waived"


@pytest.mark.parametrize("change", [{"check": "gpu.*"}, {"check": "*"}, {"node": "train-*"}, {"object": "*"}])
def test_no_pattern_waives_everything_of_a_node(change: dict[str, str], tmp_path: Path) -> None:
    row = build.waiver("gpu.ecc", object="GPU 3").model_copy(update=change).model_dump(exclude={"approved_by"})
    file = tmp_path / "waivers.yaml"
    file.write_text("waivers:\n- {" + ", ".join(f"{name}: '{value}'" for name, value in row.items()) + "}\n")
    with pytest.raises(ProblemsError, match="is a pattern"):
        load_waivers(file, {"gpu.ecc"}, {"train-001"}, WaiverPolicy(days=90))


@pytest.mark.parametrize(
    ("acceptance", "words"),
    [
        ("policy: {waiver_approvals: 4}", "needs more persons than may waive"),
        (
            "policy: {evidence_hours: {node: 721.0}}",
            "acceptance.policy.evidence_hours.node: allows more than may be allowed",
        ),
        ("policy: {evidence_hours: {node: 100.0, rack: 200.0}}", "acceptance.policy.evidence_hours.rack: allows more"),
        ("policy: {evidence_hours: {nod: 10.0}}", "acceptance.policy.evidence_hours.nod: there is no such gate"),
    ],
)
def test_a_site_does_not_lower_the_bounds(acceptance: str, words: str, folder: Path, capsys) -> None:
    change_site(folder, "  gates: handover\n", f"  gates: handover\n  {acceptance}\n")
    code, text = call(capsys, folder, "--list")
    assert (code, words in text) == (1, True), text


@pytest.mark.parametrize("person", ["ann ng", "' '", "''"])
def test_approvers_are_persons_each_named_once(person: str, folder: Path, capsys) -> None:
    change_site(folder, "{name: Cy Roe}", f"{{name: {person}}}")
    code, text = call(capsys, folder, "--list")
    assert (code, "acceptance.approvers[2].name" in text) == (1, True), text


@pytest.mark.parametrize(
    ("approvers", "rehearsal", "waived", "until", "refused"),
    [
        ([], False, ["gpu.ecc"], "2026-12-31", True),
        ([], False, [], "2026-12-31", False),
        ([], False, ["gpu.ecc"], "2026-11-01", False),
        ([], True, ["gpu.ecc"], "2026-12-31", False),
        ([Approver(name="Ann Ng")], False, ["gpu.ecc"], "2026-12-31", False),
    ],
)
def test_nobody_signs_a_handover_on_a_waiver_that_nobody_may_give(
    approvers: list[Approver], rehearsal: bool, waived: list[str], until: str, refused: bool
) -> None:
    judged = SimpleNamespace(rehearsal=rehearsal, decided_at=datetime(2026, 11, 23, tzinfo=UTC))
    decided = SimpleNamespace(nodes=[build.decision("train-001", waived=waived)])
    repeated = SimpleNamespace(decision=decided, waivers=[build.waiver("gpu.ecc", until=until)])
    loaded = SimpleNamespace(path="site.yaml", site=SimpleNamespace(acceptance=Acceptance(approvers=approvers)))
    problems = list(signed_bundle._unapproved_waivers(judged, repeated, loaded))  # type: ignore[arg-type]
    assert [problem.path for problem in problems] == ["acceptance.approvers"] * refused
