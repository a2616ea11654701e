"""Nodes whose drives may not be erased: each with its reason, and none of the request is wiped then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rackwright.base.errors import ProblemsError
from rackwright.base.workspace import Workspace
from rackwright.flow import ssh_runner, wipe_refusals
from rackwright.flow.job import Job
from rackwright.ledger import Ledger
from rackwright.model.access import Access, Secret
from rackwright.model.node_state import DecidedState
from rackwright.model.times import parse_time
from tests import build
from tests.unit.flow.test_job import Watcher

SILENT = (1, "", "slurm_load_jobs error: Unable to contact slurm controller")
NO_SLURM = (127, "", "")


@pytest.fixture
def codes(tmp_path, monkeypatch):
    """Codes of what is refused, by node; Slurm answers each question with `answer`."""
    workspace = Workspace(tmp_path)
    ledger = Ledger(workspace.ledger_url)
    run = ledger.begin("h100-pod", "gate", {})
    ledger.record_decisions(run, [build.decision("train-002")], [], {"train-002": DecidedState("d", "b", "580")})
    ledger.finish(run, "done")
    design = build.site_design()
    pools = [pool.model_copy(update={"wipe": "crypto-erase"}) for pool in design.site.pools[:1]]
    design = replace(design, site=design.site.model_copy(update={"pools": [*pools, *design.site.pools[1:]]}))
    access = Access("root", tmp_path / "key", tmp_path / "known", "admin", Secret("secret"), None)

    def refused(answer, *nodes):
        monkeypatch.setattr(ssh_runner, "runner", lambda *_: lambda _: answer)
        job = Job(
            build.EXAMPLE, design, nodes, access, workspace, ledger, run, Watcher(), now=lambda: parse_time("2026-11-21T09:00:00"),
        )  # fmt: skip
        try:
            wipe_refusals.refuse(job)
        except ProblemsError as error:
            return [(problem.place, problem.code) for problem in error.problems]
        return []

    yield refused
    ledger.close()


def test_an_accepted_node_and_one_without_a_policy_refuse_the_request(codes):
    assert codes(NO_SLURM, "train-001") == []
    assert codes(NO_SLURM, "train-001", "train-002", "slurm-01") == [
        ("slurm-01", "wipe.no_policy"),
        ("train-002", "wipe.accepted"),
    ]


def test_a_scheduler_that_does_not_answer_may_still_use_its_node(codes):
    assert codes(SILENT, "train-001") == [("train-001", "wipe.serving")]


def test_a_node_of_kubernetes_is_refused_unless_the_cluster_is_known_to_lack_it(monkeypatch):
    async def members(_):
        return ["serve-001"]

    node = build.site_design().node("train-001")
    nodes = [replace(node, name=f"serve-00{number}", scheduler="kubernetes") for number in (1, 2)]
    monkeypatch.setattr(wipe_refusals, "_members", members)
    assert wipe_refusals._of_kubernetes(nodes) == {"serve-001": "it is a node of the cluster"}
    monkeypatch.undo()
    monkeypatch.setenv("KUBECONFIG", "/nowhere")
    assert set(wipe_refusals._of_kubernetes(nodes)) == {"serve-001", "serve-002"}
