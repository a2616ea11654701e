"""Sites of inventories/ walk from their file to nodes that ran a job; of the others the example is that of `make rehearse`."""

import json
import re

import pytest

from rackwright.base import content
from tests.rehearsal.conftest import Rehearsal, surroundings

pytestmark = [
    pytest.mark.twin, pytest.mark.fabric, pytest.mark.slurm, pytest.mark.engine, pytest.mark.kubectl, pytest.mark.kubernetes,
]  # fmt: skip

NODES = {
    "mi300x-pod": "2",
    "ascend-pod": "2",
    "mixed-pod": "train-001,serve-003,slurm-01,ufm-01,kubernetes-01,kubernetes-02",  # founds, and joins
}


NPU_PORTS = {(f"link.npu_{what}", "pass") for what in ("cabling", "errors", "light", "state")}
"""What hosts answer of the network ports of their NPUs."""
HELD_BACK = "it was held back (couldn't assign flavors to pod set main: insufficient quota for amd.com/gpu in flavor serve, request > maximum capacity"
JOBS = [
    "research ran a job with 8 amd.com/gpu on serve-003, admitted from its queue preemptible.",
    f"research submitted a job with 40 amd.com/gpu to its queue preemptible, whose limit is 32: {HELD_BACK} (40 > 32)).",
    "product ran a job with 8 amd.com/gpu on serve-003, admitted from its queue preemptible.",
    f"product submitted a job with 40 amd.com/gpu to its queue preemptible, whose limit is 32: {HELD_BACK} (40 > 32)).",
    "5 of 5 walls between tenants stand on serve-003.",
]


@pytest.mark.parametrize("name", NODES)
def test_two_nodes_are_accepted_and_run_a_job_and_a_script_reads_so(name, tmp_path, example_site):
    before = surroundings()
    rehearsal = Rehearsal(example_site.parents[1] / name / "site.yaml", tmp_path / "work")
    done = rehearsal.run("--nodes", NODES[name], "--no-faults", "--format", "json")
    assert (done.code, done.err) == (0, ""), done.out + done.err
    assert surroundings() == before
    document = json.loads(done.out)
    assert document["sentences"] == ["As injected: no node was refused, and all 2 ran a job."]
    assert (document["injected"], document["found"], document["as_injected"]) == ([], [], True)
    assert document["report"] == f"{done.work}/report/index.html"
    judgement = json.loads((done.work / "report" / "judgement.json").read_text())["verdicts"]
    ports = {
        (verdict["check"], verdict["outcome"]) for verdict in judgement if verdict["check"].startswith("link.npu_")
    }
    assert ports == (NPU_PORTS if name == "ascend-pod" else set())
    platform = done.report["platform"]
    assert (platform is not None) == (name == "mixed-pod")
    if platform:
        assert (platform["kubernetes"], platform["waited_for"]) == ("1.34.2", ["node serve-003"])
        assert {component["name"]: component["version"] for component in platform["components"]}["kueue"] == "0.14.0"
        assert platform["jobs"] == JOBS


def test_every_inventory_is_rehearsed_in_every_run_of_ci():
    elsewhere = (content.root() / name for name in ("Makefile", "tools/dist"))  # of the example, and from the wheel
    rehearsed = {name for file in elsewhere for name in re.findall(r"[a-z0-9]+-pod", file.read_text())}
    assert rehearsed | {*NODES} == {site.parent.name for site in content.folder("inventories").glob("*/site.yaml")}
