from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import pytest

from rackwright import spec
from rackwright.base import file_lock
from rackwright.base.errors import UsageError
from rackwright.cli import site
from rackwright.cli.rehearse import rehearsal_run
from tests.unit.cli import evidence_store

DEFAULTS = {"nodes": None, "fault": None, "no_faults": False, "resume": False}


@pytest.fixture
def loaded(tmp_path, example_site):
    copy = tmp_path / "site.yaml"
    copy.write_text(example_site.read_text())
    return spec.load(copy)


@pytest.fixture
def work(tmp_path):
    return str(tmp_path / "work")


def opened(loaded, work, **change):
    with rehearsal_run.open_rehearsal(Namespace(**DEFAULTS | {"work": work} | change), loaded) as rehearsed:
        return rehearsed


def resume(loaded, work, **change):
    return opened(loaded, work, resume=True, **change)


def test_a_new_run_has_the_default_nodes_and_faults(loaded, work):
    first = opened(loaded, work)
    assert (first.nodes, first.resumed) == (str(site.DEFAULT_NODES), False)
    assert first.faults == ("gpu-row-remap-pending", "fabric-cables-swapped")


def test_a_resumed_run_is_the_interrupted_one(loaded, work):
    first = opened(loaded, work, nodes="3", fault=["gpu-missing"])
    again = resume(loaded, work)
    assert (again.run, again.nodes, again.faults, again.resumed) == (first.run, "3", ("gpu-missing",), True)
    assert resume(loaded, work, nodes="3", fault=["gpu-missing"]).run == first.run


def test_evidence_of_another_site_is_refused_before_anything_is_done(loaded, work):
    first = opened(loaded, work)
    evidence_store.write_run(Path(work) / "evidence", {"train-001": {}}, "2026-11-21T08:00:00+00:00")
    (Path(work) / "pulumi").mkdir()
    elsewhere = replace(loaded, site=loaded.site.model_copy(update={"site": "elsewhere"}))
    for words in ({}, {"resume": True}):
        with pytest.raises(UsageError, match="is evidence of site h100-pod, not of elsewhere: give another folder"):
            opened(elsewhere, work, **words)
    assert (Path(work) / "pulumi").is_dir()
    assert resume(loaded, work).run == first.run


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"nodes": "4"}, "has --nodes 3, not 4"),
        ({"fault": ["psu-failed"]}, "has faults gpu-missing, not psu-failed"),
        ({"no_faults": True}, "has faults gpu-missing, not none"),
    ],
)
def test_a_resumed_run_refuses_other_nodes_and_faults(loaded, work, change, words):
    opened(loaded, work, nodes="3", fault=["gpu-missing"])
    with pytest.raises(UsageError, match=words):
        resume(loaded, work, **change)


def test_nothing_to_resume(loaded, work):
    with pytest.raises(UsageError, match=r"no interrupted rehearsal of h100-pod is in .*work: run without --resume"):
        resume(loaded, work)
    finished = opened(loaded, work)
    rehearsal_run.Ledger(finished.workspace.ledger_url).finish(finished.run, "as injected")
    with pytest.raises(UsageError, match="no interrupted rehearsal"):
        resume(loaded, work)


def test_another_site_file_is_another_rehearsal(loaded, work):
    opened(loaded, work)
    loaded.path.write_text(loaded.path.read_text() + "# a remark\n")
    with pytest.raises(
        UsageError, match=r"site.yaml has changed since the interrupted rehearsal: run without --resume"
    ):
        resume(loaded, work)


def test_a_new_run_sets_the_interrupted_one_aside_and_forgets_its_machines(loaded, work):
    first = opened(loaded, work)
    first.workspace.folder("pulumi")
    second = opened(loaded, work)
    outcomes = {
        attempt.id: attempt.outcome
        for attempt in rehearsal_run.Ledger(second.workspace.ledger_url).runs("h100-pod", rehearsal_run.KIND)
    }
    assert outcomes == {first.run: "abandoned", second.run: None}
    assert not (second.workspace.path / "pulumi").exists()
    assert resume(loaded, work).run == second.run


def test_only_one_rehearsal_at_a_time(loaded, work, monkeypatch):
    monkeypatch.setattr(file_lock, "GRACE_SECONDS", 0.1)
    arguments = Namespace(**DEFAULTS | {"work": work})
    with rehearsal_run.open_rehearsal(arguments, loaded) as first:
        with pytest.raises(UsageError, match=r"another rehearsal of h100-pod is running in .*: wait for it"):
            opened(loaded, work)
        assert first.ledger.unfinished("h100-pod", rehearsal_run.KIND).id == first.run
    assert resume(loaded, work).run == first.run


def test_a_rehearsal_does_not_touch_the_folder_of_the_real_site(loaded, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    real = site.claim_workspace(Namespace(work=None), loaded.site)
    assert opened(loaded, None).workspace.path == Path(".rackwright/h100-pod/rehearsal")
    with pytest.raises(UsageError, match="keeps the records of the real site"):
        opened(loaded, str(real.path))


def test_a_run_that_was_called_wrongly_cannot_be_resumed(loaded, work):
    with (
        pytest.raises(UsageError, match="too few"),
        rehearsal_run.open_rehearsal(Namespace(**DEFAULTS | {"work": work}), loaded),
    ):
        raise UsageError("too few nodes")
    with pytest.raises(UsageError, match="no interrupted rehearsal"):
        resume(loaded, work)
