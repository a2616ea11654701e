from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from rackwright.cli.accept import waive
from rackwright.cli.main import main
from tests import build

ROW = ["--check", "gpu.row_remap", "--node", "train-001", "--reason", "spare ordered", "--by", "A. Person"]
START = "# Agreed with the customer.\nwaivers: []  # none so far\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    monkeypatch.setattr(waive, "today", lambda: date(2026, 11, 21))
    text = build.EXAMPLE.read_text().replace("  gates: handover\n", "  gates: handover\n  waivers: waivers.yaml\n")
    (tmp_path / "site.yaml").write_text(text)
    (tmp_path / "waivers.yaml").write_text(START)
    return tmp_path


def call(capsys, folder: Path, *argv: str) -> tuple[int, str]:
    code = main(["waive", str(folder), *argv])
    printed = capsys.readouterr()
    return code, printed.out + printed.err


def test_a_waiver_is_added_and_listed_with_its_days(folder: Path, capsys) -> None:
    code, text = call(capsys, folder, *ROW, "--until", "2026-12-01", "--object", "GPU 3", "--ticket", "OPS-7")
    assert (code, "gpu.row_remap on train-001, GPU 3, is waived until 2026-12-01 by A. Person" in text) == (0, True), (
        text
    )
    assert (folder / "waivers.yaml").read_text().startswith("# Agreed with the customer.\nwaivers:  # none so far\n")
    assert call(capsys, folder, *ROW, "--until", "2026-12-31")[0] == 0
    code, text = call(capsys, folder, "--list", "--format", "json")
    assert [(waiver["object"], waiver["days_left"]) for waiver in json.loads(text)["waivers"]] == [
        ("GPU 3", 10),
        ("", 40),
    ]
    assert "10 days left [OPS-7]" in call(capsys, folder, "--list")[1]
    assert list(folder.glob(".*")) == []


@pytest.mark.parametrize(
    ("change", "words", "code"),
    [
        (["--until", "2026-11-20"], "is over", 2),
        (["--until", "soon"], "until: is no date", 1),
        (["--until", "2026-12-01", "--node", "train-999"], "node: does not exist", 1),
        (["--until", "2026-12-01", "--check", "gpu.*"], "check: is a pattern", 1),
        (["--until", "2026-12-01", "--by", " "], "needs --by", 2),
        ([], "needs --until", 2),
    ],
)
def test_what_is_refused_leaves_the_file_as_it_was(folder: Path, change, words: str, code: int, capsys) -> None:
    exit_code, text = call(capsys, folder, *ROW, *change)
    assert (exit_code, words in text) == (code, True), text
    assert ".draft" not in text
    assert (folder / "waivers.yaml").read_text() == START


def test_twice_is_refused(folder: Path, capsys) -> None:
    assert call(capsys, folder, *ROW, "--until", "2026-12-01")[0] == 0
    code, text = call(capsys, folder, *ROW, "--until", "2027-12-01")
    assert (code, "is waived twice" in text) == (1, True)


def test_a_site_without_a_waiver_file_says_what_to_write(capsys) -> None:
    code, text = call(capsys, build.EXAMPLE.parent, *ROW, "--until", "2026-12-01")
    assert (code, "waivers: waivers.yaml" in text) == (2, True)
    assert call(capsys, build.EXAMPLE.parent, "--list") == (0, "0 waivers\n")


def test_the_other_waiver_is_named_by_the_file_that_stays(folder: Path, capsys) -> None:
    assert call(capsys, folder, *ROW, "--until", "2026-12-01")[0] == 0
    _, text = call(capsys, folder, *ROW, "--until", "2027-12-01")
    assert (f"another at {folder / 'waivers.yaml'}:" in text, ".draft" in text) == (True, False), text
