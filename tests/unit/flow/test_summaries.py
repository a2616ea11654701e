from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.flow import summaries
from rackwright.gate.scheduler import SchedulerAct
from rackwright.model.inventory import HostRecap, Recap
from rackwright.model.verdict import Outcome
from rackwright.provision.result import MachineResult, UpResult
from tests import build

LONG = (
    "the cable of mlx5_0 is found where that of another node belongs, and so are the seven that follow it in the rack"
)


def machine(name="train-001", outcome="created", **change):
    return MachineResult(name, outcome, **change)


def result(*machines):
    return UpResult("up", "h100-pod", {machine.name: machine for machine in machines}, (), 1.0)


def host(changed=0, unreachable=0, failed=0, why=""):
    return HostRecap(ok=20, changed=changed, unreachable=unreachable, failed=failed, first_failure=why)


def recap(**hosts):
    return Recap(hosts={name.replace("_", "-"): host for name, host in hosts.items()}, seconds=1, task_seconds={})


def test_machines_are_counted_and_each_that_is_wrong_has_its_line():
    wrong = machine("train-003", outputs={"mismatches": ["model is DGXA100"]})
    refused = machine("train-002", "failed", error="BMC 10.64.4.17 refused the account")
    provisioned = result(machine(), refused, wrong)
    assert summaries.provision_summary(provisioned) == "2 created, 1 failed; not as their SKU says: train-003"
    assert summaries.machine_troubles(provisioned) == [
        "train-002: BMC 10.64.4.17 refused the account",
        "train-003: model is DGXA100",
    ]
    assert summaries.provision_summary(result()) == "nothing"


def test_hosts_are_counted_and_each_that_failed_has_its_line():
    onboarded = recap(
        train_001=host(changed=3), train_002=host(unreachable=1), train_003=host(failed=1, why="Pin: held")
    )
    assert summaries.onboarding_summary(onboarded) == (
        "1 of 3 hosts are as declared, 1 of them changed; not as declared: train-002, train-003"
    )
    assert summaries.host_troubles(onboarded) == ["train-002: did not answer", "train-003: Pin: held"]
    assert summaries.host_failure(host(failed=1)) == "a task failed"
    assert summaries.host_failure(host()) == ""


def test_evidence_that_is_missing_is_explained_once_per_machine():
    silent = build.node_evidence("train-002", errors={"nvml": "its sshd hangs", "clock": "its sshd hangs"})
    evidence = {"train-001": build.node_evidence(), "train-002": silent}
    assert summaries.evidence_summary(evidence).endswith("records of 2 machines; incomplete: train-002")
    assert summaries.silences(evidence) == ["train-002: its sshd hangs"]


def test_verdicts_by_outcome():
    verdicts = [build.verdict(), build.verdict(outcome=Outcome.FAIL), build.verdict()]
    assert summaries.verdict_summary(verdicts) == "2 pass, 1 fail"
    assert summaries.verdict_summary([]) == "nothing to judge"


def test_decisions_and_what_slurm_made_of_them():
    decisions = [build.decision(), build.decision("train-002", accepted=False)]
    acts = [
        SchedulerAct("train-001", "leave", done=False, says="left"),
        SchedulerAct("train-002", "drain", done=True, says="drained"),
    ]
    assert summaries.gate_summary(decisions, acts) == (
        "1 accepted, 1 refused (train-002); the scheduler does not follow for train-001"
    )


def test_many_names_are_left_to_their_lines():
    decisions = [build.decision(f"train-{number:03d}", accepted=False) for number in range(1, 9)]
    assert summaries.gate_summary(decisions, []) == "0 accepted, 8 refused"
    assert len(summaries.refusals(decisions)) == 8


def test_a_refusal_says_the_reason_without_our_mark():
    refused = build.decision("train-002", accepted=False, reason="rackwright: gpu.count: 7; expected 8")
    assert summaries.refusals([build.decision(), refused]) == ["train-002 refused: gpu.count: 7; expected 8"]


def test_a_long_refusal_ends_after_a_word_and_keeps_its_count():
    blocking = ["fabric.cabling", "fabric.link_rate"]
    reason = f"rackwright: fabric.cabling: {LONG}... (and 1 more)"
    [line] = summaries.refusals([build.decision("train-002", accepted=False, reason=reason, blocking=blocking)])
    assert line.endswith(" ... (and 1 more)")
    assert len(line) <= summaries.LINE
    assert line.removesuffix(" ... (and 1 more)").split()[-1] in LONG.split()


@given(st.text(min_size=1, max_size=300), st.sampled_from(["", " (and 12 more)"]))
def test_a_remark_fits_and_breaks_no_word(text, tail):
    line = summaries.remark("train-001 stays drained", text, tail)
    assert len(line) <= summaries.LINE
    beginning = line.removeprefix("train-001 stays drained: ").removesuffix(tail).removesuffix("...").split()
    assert beginning == text.split()[: len(beginning)]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["gpu.count"], "gpu.count"),
        (["bmc.health", "gpu.count"], "bmc.health, gpu.count"),
        ([f"gpu.a{n}" for n in range(4)] + [f"pcie.b{n}" for n in range(4)], "8 checks of gpu, pcie"),
    ],
)
def test_checks_in_words(names, words):
    assert summaries.checks(names) == words


def test_what_was_not_tested_names_other_nodes_and_blind_checks():
    verdicts = [
        build.verdict(outcome=Outcome.INCONCLUSIVE),
        build.verdict(outcome=Outcome.NOT_RUN),
        build.verdict("a.b"),
    ]
    lines = summaries.not_tested(build.site_design(), ["train-001"], verdicts)
    assert lines[0] == "30 of the site's nodes were not part of this run: train-002 to train-031."
    assert lines[1:-2] == list(summaries.KINDS_OF_TESTS.values())
    title = verdicts[0].title
    assert lines[-2:] == [
        f"{title} (gpu.count): ran, and could not be judged on 1 node.",
        f"{title} (gpu.count): not run on 1 node.",
    ]


def test_a_kind_of_test_that_ran_is_not_called_untested():
    nodes = [node.name for node in build.site_design().nodes("accelerator")]
    verdicts = [build.verdict("burn.gemm"), build.verdict("copy.host_to_device", outcome=Outcome.NOT_RUN)]
    verdicts += [build.verdict("collective.in_node", outcome=Outcome.NOT_RUN)]
    lines = summaries.not_tested(build.site_design(), nodes, verdicts)
    assert not any(line.startswith("Load:") for line in lines)
    assert f"{verdicts[1].title} (copy.host_to_device): not run on 1 node." in lines
    assert any(line.startswith("Collectives:") for line in lines)
    assert not any("collective.in_node" in line for line in lines)  # the whole kind was named


def test_a_plant_that_is_not_asked_is_called_untested():
    plan = build.cooled_design()
    facility = plan.site.facility
    power = facility.power.model_copy(update={"management": "none"})
    liquid = facility.liquid.model_copy(update={"management": "none"})
    silent = facility.model_copy(update={"power": power, "liquid": liquid})
    nodes = [node.name for node in plan.nodes("accelerator")]
    unasked = replace(plan, site=plan.site.model_copy(update={"facility": silent}))
    unread = [line for line in summaries.not_tested(unasked, nodes, []) if "were not read" in line]
    assert [line.partition(":")[0] for line in unread] == ["Power", "Cooling"]
    assert not any("were not read" in line for line in summaries.not_tested(plan, nodes, []))


def test_what_was_judged_by_calibrated_limits_alone_is_named():
    verdict = build.verdict("collective.in_node", "train-001", Outcome.PASS, says="x").model_copy(
        update={
            "source": "limit a.b: calibrated, no published value: 8 nodes of site x, 2026-11-23",
            "title": "Collectives",
        }
    )
    lines = summaries.not_tested(build.site_design(), ["train-001"], [verdict])
    [line] = [line for line in lines if "calibrated" in line]
    assert line.startswith("Collectives (collective.in_node): judged on")
    assert "a fleet that is slow as a whole passes" in line
