"""The table of verdicts: a sign per cell, and findings as long as they can be afforded."""

from rackwright.model.verdict import Outcome
from rackwright.report import build, matrix
from rackwright.report.render import OUTCOMES
from tests.unit.report.conftest import tiny_handover, verdict

NODES = ("train-001", "train-002")


def report(*verdicts):
    return build.build_report(tiny_handover(verdicts=verdicts, decisions=(), nodes=NODES), lambda _: "")


def test_every_node_has_a_cell_for_every_check():
    built_report = report(
        verdict("train-001", "gpu.ecc", Outcome.FAIL, 'bad "thing" <b>'),
        verdict("train-001", "gpu.count"),
        verdict("train-002", "nic.mtu"),
    )
    assert matrix.domains(built_report) == [("gpu", ["gpu.count", "gpu.ecc"]), ("nic", ["nic.mtu"])]
    first, second = matrix.rows(built_report, OUTCOMES)
    assert first.count("<td") == second.count("<td") == 3
    assert 'class="o o-fail"' in first
    assert "&lt;b&gt;" in first
    assert "<b>" not in first
    assert second.count("does not apply") == 2


def test_of_a_fleet_only_what_is_no_pass_is_told(monkeypatch):
    monkeypatch.setattr(matrix, "MAX_TITLED", 1)
    built_report = report(verdict("train-001", "gpu.ecc", Outcome.FAIL, "broken"), verdict("train-002", "gpu.ecc"))
    first, second = matrix.rows(built_report, OUTCOMES)
    assert "title=" in first
    assert str(second) == '<td class="o o-pass first" aria-label="pass">✓</td>'
