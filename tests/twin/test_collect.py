"""Evidence from the hosts of a twin by the verbs: over SSH, and under load."""

import json
import shlex
import sys

import pytest

pytestmark = pytest.mark.twin

RACKWRIGHT = f"{shlex.quote(sys.executable)} -m rackwright"


def test_what_a_bring_up_needs_is_probed_before_it(twin, example_site, tmp_path):
    command = f"{RACKWRIGHT} preflight {shlex.quote(str(example_site))} --nodes 2 --work {tmp_path}/work --format json"
    code, output = twin.run(f"{command} 2>/dev/null")
    outcomes = {probe["probe"]: probe["outcome"] for probe in json.loads(output)["probes"]}
    every = dict.fromkeys(("mirror.index", "bmc.login", "ssh.login", "host.network"), "pass") | {
        "time.server": "advice"
    }
    assert (code, outcomes) == (0, every), output

    # The last pass is printed beside what fails now; slurmctld is not there before a node is onboarded.
    code, output = twin.run(f"RACKWRIGHT_BMC_PASSWORD=wrong {command} --before accept 2>/dev/null")
    failed = {probe["probe"]: probe for probe in json.loads(output)["probes"] if probe["outcome"] == "fail"}
    assert (code, set(failed)) == (1, {"bmc.login", "slurm.controller"}), output
    assert "refused the account" in failed["bmc.login"]["text"]
    assert failed["bmc.login"]["passed_before"]
    assert failed["slurm.controller"]["passed_before"] is None


def test_collect_and_burn_in_fill_one_store(twin, example_site, tmp_path):
    work = f"--work {tmp_path}/work --nodes 2 --format json"
    code, output = twin.run(f"{RACKWRIGHT} collect {shlex.quote(str(example_site.parent))} {work} 2>/dev/null")
    assert code == 1  # nothing is installed on these hosts
    nodes = json.loads(output)["nodes"]
    assert {"Host", "Bmc", "Packages"} <= set(nodes["train-001"]["records"])
    assert "scontrol" in nodes["train-001"]["errors"]["scheduler"]
    assert set(nodes["train-r01-A1-pdu"]["records"]) == {"RackPower"}

    code, output = twin.run(
        f"{RACKWRIGHT} burnin {shlex.quote(str(example_site.parent))} {work} --tests link_soak --cooldown 0 2>/dev/null"
    )
    refused = json.loads(output)
    assert (code, refused["run"], refused["nodes"]) == (1, None, {})
    assert "Slurm does not say whether jobs run on it" in refused["left_alone"]["train-001"]

    code, output = twin.run(
        f"{RACKWRIGHT} burnin {shlex.quote(str(example_site.parent))} {work} --tests link_soak --cooldown 0 --unscheduled 2>/dev/null"
    )
    assert code == 0, output
    loaded = json.loads(output)
    assert set(loaded["nodes"]) == {"train-001", "train-002"}
    assert set(loaded["nodes"]["train-001"]["records"]) == {"PortCounters"}
    code, output = twin.run(
        f"{RACKWRIGHT} judge {shlex.quote(str(example_site.parent))} --work {tmp_path}/work --format json 2>/dev/null"
    )
    judged = {(verdict["target"], verdict["check"]): verdict["outcome"] for verdict in json.loads(output)["verdicts"]}
    assert any(outcome != "not_run" for (node, _), outcome in judged.items() if node == "train-001")
    assert {outcome for (unit, _), outcome in judged.items() if unit == "train-r01-A1-pdu"} == {"pass"}
