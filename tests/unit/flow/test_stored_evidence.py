"""Evidence that somebody removed, added or took from elsewhere is not judged."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from rackwright.base.errors import ProblemsError, UsageError
from rackwright.collect import Store
from rackwright.flow import evidence_source, stored_evidence
from tests import build
from tests.unit.cli import evidence_store

TAKEN = [f"2026-11-21T{hour}:00:00+00:00" for hour in ("08", "09", "10")]


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "evidence"
    for taken_at in TAKEN:
        evidence_store.write_run(path, {"train-001": {}}, taken_at)
    return path


def find(folder, design=None):
    return stored_evidence.find_evidence(folder, design or build.site_design())


def refused(folder) -> str:
    with pytest.raises(ProblemsError) as caught:
        find(folder)
    assert {problem.code for problem in caught.value.problems} == {"evidence.changed"}
    return caught.value.problems[0].message


def test_a_run_that_was_removed_is_missed_when_the_others_are_judged_and_signed(folder):
    store, runs, _ = find(folder)
    heads = {run: store.head(run) for run in runs if run != runs[1]}
    store.path(runs[1]).unlink()
    assert "was removed" in refused(folder)
    assert ["was removed" in problem.message for problem in evidence_source.evidence_problems(store, heads)] == [True]


def test_what_came_before_all_others_may_be_put_away(folder):
    store, runs, _ = find(folder)
    store.path(runs[0]).unlink()
    assert find(folder)[1] == runs[1:]


def test_a_run_that_was_cut_short_is_missed(folder):
    store, runs, _ = find(folder)
    path = store.path(runs[0])
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:2]))
    assert "cut short" in refused(folder)


def test_a_run_of_another_store_is_not_judged(folder, tmp_path):
    evidence_store.write_run(tmp_path / "other", {"train-001": {}}, "2026-11-21T11:00:00+00:00")
    shutil.copytree(tmp_path / "other", folder, dirs_exist_ok=True)
    assert "was added" in refused(folder)


def test_a_run_of_another_site_is_not_judged(folder):
    design = build.site_design()
    elsewhere = replace(design, site=design.site.model_copy(update={"site": "elsewhere"}))
    with pytest.raises(UsageError, match="is evidence of site h100-pod, not of elsewhere"):
        find(folder, elsewhere)


def test_a_run_without_a_beginning_is_said(folder):
    store, runs, _ = find(folder)
    heads = {run: store.head(run) for run in runs}
    store.path(runs[2]).write_bytes(b"")
    assert "does not begin with its own first entry" in refused(folder)
    assert [problem.place for problem in evidence_source.evidence_problems(Store(folder), heads)][:1] == [
        f"{store.path(runs[2])}:1"
    ]


def test_evidence_of_nodes_that_the_site_does_not_have_is_refused_with_the_way_out(tmp_path):
    stored_evidence.refuse_strangers(tmp_path, build.site_design(), ["train-001"])
    with pytest.raises(
        UsageError, match=r"evidence of train-999, which site .* with --work, or this site another name"
    ):
        stored_evidence.refuse_strangers(tmp_path, build.site_design(), ["train-001", "train-999"])
