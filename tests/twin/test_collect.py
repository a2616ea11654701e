"""Evidence from the hosts of a twin by the verbs: over SSH, and under load."""

import json
import shlex
import sys

import pytest

pytestmark = pytest.mark.twin

RACKWRIGHT = f"{shlex.quote(sys.executable)} -m rackwright"


def test_collect_and_burn_in_fill_one_store(twin, example_site, tmp_path):
    work = f"--work {tmp_path}/work --nodes 2 --format json"
    code, said = twin.run(f"{RACKWRIGHT} collect {shlex.quote(str(example_site.parent))} {work} 2>/dev/null")
    assert code == 1  # nothing is installed on these hosts
    seen = json.loads(said)["nodes"]
    assert {"Host", "Bmc", "Packages"} <= set(seen["train-001"]["records"])
    assert "scontrol" in seen["train-001"]["errors"]["scheduler"]
    assert set(seen["train-r01-A1-pdu"]["records"]) == {"RackPower"}

    code, said = twin.run(
        f"{RACKWRIGHT} burnin {shlex.quote(str(example_site.parent))} {work} --tests link_soak --cooldown 0 2>/dev/null"
    )
    refused = json.loads(said)
    assert (code, refused["run"], refused["nodes"]) == (1, None, {})
    assert "Slurm does not say whether jobs run on it" in refused["left_alone"]["train-001"]

    code, said = twin.run(
        f"{RACKWRIGHT} burnin {shlex.quote(str(example_site.parent))} {work} --tests link_soak --cooldown 0 --unscheduled 2>/dev/null"
    )
    assert code == 0, said
    loaded = json.loads(said)
    assert set(loaded["nodes"]) == {"train-001", "train-002"}
    assert set(loaded["nodes"]["train-001"]["records"]) == {"PortCounters"}
    code, said = twin.run(
        f"{RACKWRIGHT} judge {shlex.quote(str(example_site.parent))} --work {tmp_path}/work --format json 2>/dev/null"
    )
    judged = {(one["target"], one["check"]): one["outcome"] for one in json.loads(said)["verdicts"]}
    assert any(outcome != "not_run" for (node, _), outcome in judged.items() if node == "train-001")
    assert {outcome for (unit, _), outcome in judged.items() if unit == "train-r01-A1-pdu"} == {"pass"}
