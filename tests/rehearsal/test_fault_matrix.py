"""Faults of every way in which a host can be asked, on real hosts of the twin; the campaign without hosts must say the same."""

from pathlib import Path

import pytest

from rackwright import design, spec
from rackwright.collect import collector
from rackwright.model.check import FleetCheck
from rackwright.twin import faults
from rackwright.twin.campaign import Scene, Stage, play
from tests.rehearsal.conftest import STEPS, Rehearsal

pytestmark = [pytest.mark.twin, pytest.mark.fabric, pytest.mark.slurm, pytest.mark.engine]
FAULTS = (
    "bmc-password-refused", "bmc-wrong-model", "clock-unsynchronised", "dimm-missing", "drive-worn", "ecc-uncorrectable",
    "fabric-cable-missing", "fabric-cables-swapped", "fabric-manager-mismatch", "gpu-fades", "gpu-missing",
    "gpu-row-remap-pending", "inband-foreign-switch", "link-bit-errors", "nvlink-down", "pcie-width-reduced", "psu-failed",
    "ssh-hangs", "thermal-throttle", "xid-79-off-the-bus",
)  # fmt: skip
"""By what they are asked through: the BMC, real daemons and packages, the subnet, NVML, answered tools, load tests."""
HEALTHY = 1
ASKING = {"provision", "onboard", "collect", "burn-in"}
"""Steps that meet a BMC that refuses the account or a host whose sshd hangs, and say so; the others go on with the rest."""


def injected():
    count = sum(faults.load_faults()[name].nodes for name in FAULTS)
    return faults.assign_nodes(FAULTS, [f"train-{number:03d}" for number in range(1, count + 1)])


@pytest.fixture(scope="module")
def done(example_site, tmp_path_factory):
    nodes = sum(len(one.nodes) for one in injected()) + HEALTHY
    words = [word for name in FAULTS for word in ("--fault", name)]
    return Rehearsal(example_site, tmp_path_factory.mktemp("matrix")).run("--nodes", str(nodes), *words)


def test_every_fault_is_found_and_nothing_else(done):
    assert done.code == 0, done.out + done.err
    assert done.steps == {step: "✗" if step in ASKING else "✓" for step in STEPS}
    refused = sum(len(one.nodes) for one in injected() if one.fault.refused)
    assert f"exactly the {refused} affected nodes were refused" in done.out
    assert "Traceback" not in done.out + done.err


def test_hosts_and_the_campaign_say_the_same(done, example_site):
    loaded = spec.load(Path(example_site))
    plan = design.expand(loaded.site, loaded.catalog)
    covered = tuple(node["node"] for node in done.report["nodes"] if node["role"] == "accelerator")
    stage = Stage(plan, covered, done.report["run"]["created"])
    unasked = {one.produces for one in collector.library().values() if one.scope == "group" or one.optional}
    late = {node: one.fault.also for one in injected() for node in one.nodes}

    def red(verdicts):
        """What is not a pass, but for what comes only after a while, compares with peers, or needs a test that a rehearsal runs on no node."""
        return {
            (node, check, outcome)
            for node, check, outcome in verdicts
            if outcome != "pass"
            and node in covered
            and check not in late.get(node, ())
            and not isinstance(one := stage.checks.get(check), FleetCheck)
            and (one is None or one.reads not in unasked)
        }

    hosts = red(
        (node["node"], one["check"], one["outcome"]) for node in done.report["nodes"] for one in node["verdicts"]
    )
    alone = red((one.target, one.check, one.outcome.value) for one in play(stage, Scene("all", tuple(injected()))))
    assert hosts == alone


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("bmc-password-refused", "refused the account (HTTP 401)"),
        ("ssh-hangs", "accepted the connection and then said nothing: its sshd hangs, restart it"),
    ],
)
def test_a_node_that_cannot_be_asked_is_refused_with_the_cause(done, fault, words):
    [hit] = [one for one in injected() if one.fault.name == fault]
    assert f"injected  {hit.fault.summary} ({hit.nodes[0]})." in done.out
    [node] = [one for one in done.report["nodes"] if one["node"] == hit.nodes[0]]
    assert any(words in one["says"] for one in node["verdicts"] if one["blocking"])
    assert any(line.strip().startswith(f"{hit.nodes[0]}: ") and words[:40] in line for line in done.err.splitlines())


def test_remarks_fit_a_terminal(done):
    remarks = [line for line in done.err.splitlines() if line.startswith("    ")]
    assert len(remarks) > len(FAULTS)
    assert max(map(len, remarks)) <= 120
