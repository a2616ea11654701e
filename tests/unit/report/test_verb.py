from __future__ import annotations

import json

import pytest

from rackwright.base.errors import ExitCode
from rackwright.cli.main import main
from rackwright.report import build, files


@pytest.fixture
def work(handover, tmp_path):
    """A workspace with the report of the example site in it."""
    report = build.build_report(handover, lambda _check: "")
    report = report.model_copy(update={"run": report.run.model_copy(update={"site": "h100-pod"})})
    files.write(report, tmp_path / "work" / "report")
    return tmp_path / "work"


def test_writes_the_same_report_again(example_site, work, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["report", str(example_site), "--work", str(work), "--out", str(out)]) == ExitCode.PASS
    assert capsys.readouterr().out.splitlines() == ["1 of 3 nodes is handed over.", str(out / "index.html")]
    for name in ("index.html", "report.json", "junit.xml"):
        assert (out / name).read_bytes() == (work / "report" / name).read_bytes()


def test_json_for_scripts_is_the_report_itself(example_site, work, capsys):
    assert main(["report", str(example_site), "--work", str(work), "--format", "json"]) == ExitCode.PASS
    assert json.loads(capsys.readouterr().out) == json.loads((work / "report" / "report.json").read_text())


def test_without_a_run_it_says_what_to_run(example_site, tmp_path, capsys):
    work = tmp_path / "nothing"
    assert main(["report", str(example_site), "--work", str(work)]) == ExitCode.PROBLEMS
    assert "report.missing" in capsys.readouterr().err
    assert not work.exists()


def test_the_report_of_another_site_is_refused(example_site, handover, tmp_path, capsys):
    files.write(build.build_report(handover, lambda _check: ""), tmp_path / "report")
    assert main(["report", str(example_site), "--work", str(tmp_path)]) == ExitCode.USAGE
    assert "tiny" in capsys.readouterr().err
