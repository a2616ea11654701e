from __future__ import annotations

import json

import pytest

from rackwright.cli.main import main

BAD = "limits:\n  - {metric: pcie.replays, match: {}, value: -1, unit: packets, source: x, date: '2026-01-01', kind: guess}\n"


def call(capsys, *argv: str) -> tuple[int, str]:
    code = main(["limits", *argv])
    return code, capsys.readouterr().out


def test_list_counts_metrics_and_rows(capsys) -> None:
    code, text = call(capsys, "list")
    assert code == 0
    assert "gpu.memory_share" in text
    assert text.splitlines()[-1].endswith("limits")


def test_show_prints_value_and_source(capsys) -> None:
    code, text = call(capsys, "show", "pcie.replays")
    assert code == 0
    assert "vendor nvidia: 80 packets  (vendor, 2026-07-29: NVIDIA/DCGM" in text


def test_show_of_a_domain_as_json(capsys) -> None:
    metrics = json.loads(call(capsys, "show", "clock", "--format", "json")[1])["metrics"]
    assert "clock.leap_status" in [metric["metric"] for metric in metrics if metric["limits"]]
    assert all(row["source"] for metric in metrics for row in metric["limits"])


def test_our_own_limits_are_clean(capsys) -> None:
    code, text = call(capsys, "lint")
    assert (code, text.strip().endswith(" 0 doubtful")) == (0, True), text


def test_lint_of_other_limits(tmp_path, capsys) -> None:
    (tmp_path / "bad.yaml").write_text(BAD)
    code, text = call(capsys, "lint", "--limits", str(tmp_path))
    assert code == 1
    assert "bad.yaml:2" in text
    document = json.loads(call(capsys, "lint", "--limits", str(tmp_path), "--format", "json")[1])
    assert {problem["path"] for problem in document["problems"]} == {"pcie.replays.kind", "pcie.replays.value"}


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["show"], "needs a METRIC"),
        (["show", "pcie.replay"], "did you mean pcie.replays?"),
        (["show", "zzz"], "lists them"),
        (["lint", "mine.yaml"], "--limits PATH names a file"),
        (["lint", "--limits", "EMPTY"], "holds no limit"),
        (["list", "--limits", "EMPTY"], "holds no limit"),
    ],
)
def test_wrong_usage(tmp_path, capsys, argv, words) -> None:
    (tmp_path / "empty.yaml").touch()
    assert main(["limits", *(word.replace("EMPTY", str(tmp_path / "empty.yaml")) for word in argv)]) == 2
    assert words in capsys.readouterr().err
