from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from rackwright.base.errors import OutsideError, ProblemsError
from rackwright.report import build, data, files, junit, view, write_report

GOLDEN = Path(__file__).parents[2] / "golden" / "report"


def report_of(handover):
    return build.build_report(handover, lambda check: f"# {check}\n\n## What to do\n\nLook at it.")


def test_json_and_junit_are_as_agreed(handover, golden):
    report = report_of(handover)
    golden(GOLDEN / "report.json", data.to_json(report))
    golden(GOLDEN / "junit.xml", junit.to_xml(report))


def test_written_again_from_its_json_every_file_is_the_same(handover, tmp_path):
    first = write_report(handover, tmp_path / "one").parent
    second = files.write(data.load_report(first), tmp_path / "two").parent
    names = sorted(path.name for path in first.iterdir())
    assert names == ["index.html", "junit.xml", "report.json", "report.pdf"]
    assert [(second / name).read_bytes() for name in names] == [(first / name).read_bytes() for name in names]


def test_the_page_names_the_hash_of_the_json(handover, tmp_path):
    page = write_report(handover, tmp_path)
    assert hashlib.sha256((tmp_path / "report.json").read_bytes()).hexdigest() in page.read_text()


def test_a_missing_report_says_what_to_run(tmp_path):
    with pytest.raises(ProblemsError) as caught:
        data.load_report(tmp_path)
    assert [problem.code for problem in caught.value.problems] == ["report.missing"]


@pytest.mark.parametrize("text", ["{}", "not json", '{"schema_version": "rackwright.report/99"}', ""])
def test_a_report_of_another_kind_is_refused(tmp_path, text):
    (tmp_path / "report.json").write_text(text)
    with pytest.raises(ProblemsError) as caught:
        data.load_report(tmp_path)
    assert {problem.code for problem in caught.value.problems} == {"report.broken"}


def test_the_schema_version_is_the_one_in_the_record():
    assert view.Report.model_json_schema()["properties"]["schema_version"]["const"] == view.SCHEMA


def test_a_folder_that_cannot_be_written_is_said_in_one_sentence(handover, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutsideError, match="--out"):
        write_report(handover, tmp_path / "file")


def test_an_old_report_survives_a_write_that_fails(handover, tmp_path, monkeypatch):
    page = write_report(handover, tmp_path)
    before = page.read_bytes()

    def full(*_args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OutsideError, match="No space left"):
        write_report(handover, tmp_path)
    assert page.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index.html", "junit.xml", "report.json", "report.pdf"]
