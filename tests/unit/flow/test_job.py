import pytest

from rackwright.base.workspace import Workspace
from rackwright.flow.job import Book, Job, step
from rackwright.ledger import Ledger, RoleEventStream
from rackwright.model.access import Access, Secret
from rackwright.model.times import parse_time
from tests.build import EXAMPLE, site_design


class Watcher:
    def __init__(self):
        self.said = []

    def start(self, name, total=None):
        self.said.append(("start", name, total))

    def advance(self, text, count=1):
        self.said.append(("advance", text))

    def end(self, name, outcome, sentence):
        self.said.append(("end", name, outcome, sentence))

    def note(self, sentence):
        self.said.append(("note", sentence))


@pytest.fixture
def watch():
    return Watcher()


@pytest.fixture
def job(tmp_path, watch):
    workspace = Workspace(tmp_path)
    ledger = Ledger(workspace.ledger_url)
    run = ledger.begin("h100-pod", "rehearse", {})
    access = Access("root", tmp_path / "key", tmp_path / "known", "admin", Secret("secret"), None)
    nodes = ("train-001", "train-002", "slurm-01")
    return Job(
        EXAMPLE,
        site_design(),
        nodes,
        access,
        workspace,
        ledger,
        run,
        watch,
        now=lambda: parse_time("2026-11-21T09:00:00"),
    )


def state(job):
    return [(step.step, step.outcome, step.detail) for step in job.ledger.steps(job.run)]


def test_only_accelerator_nodes_are_candidates(job):
    assert job.candidates == ("train-001", "train-002")


def test_a_step_is_shown_and_written_down(job, watch):
    with job.step("collect", 4) as running:
        running.answer("host", {"node": "train-001"})
        running.answer("begin", {})
        running.nodes({"train-001": ("", "2 records"), "train-002": ("no answer", "")})
        running.end("2 records")
    assert watch.said == [
        ("start", "collect", 4), ("advance", "train-001 host"), ("end", "collect", "done", "2 records"),
    ]  # fmt: skip
    assert state(job) == [("collect", "done", "2 records")]
    assert [event.outcome for event in job.ledger.history("train-002")] == ["failed"]
    assert job.ledger.is_done(job.run, "collect")


def test_a_step_that_failed_for_some_nodes_is_done_again_by_a_resumed_run(job, watch):
    with job.step("onboard") as running:
        with RoleEventStream(job.ledger, job.run) as stream:
            event = {"host": "train-001", "role": "base", "task": "Set limits", "status": "ok", "act": True}
            running.tasks(stream)("onboard.task", event)
            running.tasks(stream)("onboard.play", {"play": "all"})
        running.end("1 of 2", good=False)
    assert watch.said[1:] == [("advance", "train-001: Set limits"), ("end", "onboard", "failed", "1 of 2")]
    assert state(job) == [("onboard", "failed", "1 of 2")]
    assert not job.skip("onboard")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [(ValueError("first\nsecond"), "first"), (ValueError(""), "ValueError"), (KeyboardInterrupt(), "interrupted")],
)
def test_an_exception_leaves_the_step_failed(job, watch, error, sentence):
    with pytest.raises(type(error)), job.step("provision"):
        raise error
    assert watch.said[-1] == ("end", "provision", "failed", sentence)
    assert state(job) == [("provision", "failed", sentence)]
    assert not job.skip("provision")


def test_only_a_done_step_is_skipped_and_shown_as_resumed(job, watch):
    assert not job.skip("provision")
    with step(Book(watch, job.ledger, job.run), "provision") as running:
        running.machine("machine.done", {"machine": "train-001"})
        running.machine("machine.failed", {"machine": "train-002"})
        running.machine("machine.started", {"machine": "train-002"})
        running.machine("note", {"text": "a remark"})
        assert not job.skip("provision")
    assert watch.said[1:4] == [("advance", "train-001"), ("advance", "train-002"), ("note", "a remark")]
    assert job.skip("provision")
    assert watch.said[-1][:3] == ("end", "provision", "resumed")
