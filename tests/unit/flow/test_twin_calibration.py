"""A rehearsal of a server without published limits calibrates on its twin, and accepts its healthy nodes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rackwright import gate, judge
from rackwright.base.workspace import Workspace
from rackwright.flow.job import Job
from rackwright.flow.twin_calibration import with_limits_of_twin
from rackwright.ledger import Ledger
from rackwright.model.access import Access, Secret
from rackwright.model.times import parse_time
from rackwright.twin.campaign import Stage
from rackwright.twin.campaign.play import collect_evidence
from tests.matrix import walk


class Notes:
    def __init__(self) -> None:
        self.sentences: list[str] = []

    def note(self, sentence: str) -> None:
        self.sentences.append(sentence)


def rehearsed(server: str, folder: Path) -> tuple[Job, Stage]:
    """The job of a rehearsal of two nodes, and what the twin shows of them."""
    _, stage = walk.sized_stage(server, "slurm", folder)
    workspace = Workspace(folder / "work")
    access = Access("root", folder / "key", folder / "known", "admin", Secret("secret"), None)
    time = parse_time(stage.collected_at)
    two = replace(stage, nodes=stage.nodes[:2])
    job = Job(
        folder / "site.yaml", stage.design, two.nodes, access, workspace, Ledger(workspace.ledger_url), "run", Notes(), lambda: time
    )  # type: ignore[arg-type]  # fmt: skip
    return job, two


def refusing(job: Job, stage: Stage) -> set[str]:
    """Checks that refuse one of the nodes."""
    design = job.design
    evidence = collect_evidence(stage, stage.healthy)
    limits = judge.load_limits(roots=design.roots)
    verdicts = judge.judge_evidence(design, evidence, judge.load_checks(design.roots), limits, job.nodes)
    last = gate.load_chain(design.site.acceptance.gates, roots=design.roots)[-1]
    abilities = gate.node_capabilities(design, job.nodes)
    decided = gate.decide_nodes(verdicts, last, [], job.now().date(), job.nodes, capabilities=abilities)
    return {check for decision in decided for check in decision.blocking}


def test_what_nobody_publishes_is_made_by_the_twin(tmp_path: Path) -> None:
    job, stage = rehearsed("dgx-b200", tmp_path)
    assert refusing(job, stage) == {"collective.in_node"}
    calibrated = with_limits_of_twin(job, collect_evidence(stage, stage.healthy))
    assert refusing(calibrated, stage) == set()
    [sentence] = job.watch.sentences  # type: ignore[attr-defined]
    assert "no limit is published for collective.in_node on dgx-b200" in sentence
    assert "it holds in this rehearsal alone" in sentence
    assert "--calibrate dgx-b200" in sentence


def test_nothing_changes_where_all_limits_are_published(tmp_path: Path) -> None:
    job, stage = rehearsed("dgx-h100", tmp_path)
    assert with_limits_of_twin(job, collect_evidence(stage, stage.healthy)) is job
