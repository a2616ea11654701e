"""Running nodes of a twin are adopted: the draft passes `check` and `design`, and names what the twin's own site names."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from rackwright import spec

pytestmark = [pytest.mark.twin, pytest.mark.slurm]

FILES = "ssh train-001 'find /etc /root /home /opt /usr/local /var/lib/dpkg -printf \"%p %T@\\n\" | sort | sha256sum'"
"""Prints whether anything was written on a node."""
RACKWRIGHT = f"{shlex.quote(sys.executable)} -m rackwright"


def adopt(twin, hosts: str, file: Path) -> tuple[int, dict]:
    """Exit status and report of one adoption into `file`."""
    code, output = twin.run(
        f"{RACKWRIGHT} adopt '{hosts}' --out {shlex.quote(str(file))} --force --format json 2>/dev/null"
    )
    return code, json.loads(output[output.index("{") :])


@pytest.fixture
def onboarded(onboarding):
    """The twin of the tests of onboarding, whose nodes run the software of the example site; nothing here changes them."""
    return onboarding.twin


@pytest.fixture(scope="module")
def fresh(open_twin):
    """Two nodes as they were installed, the first without one of its accelerators."""
    return open_twin("--nodes", "train-001,train-002", "--fault", "gpu-missing")


def test_the_draft_passes_check_and_design_and_names_what_the_site_of_the_nodes_names(
    onboarded, example_site, tmp_path
):
    file = tmp_path / "site.yaml"
    before = onboarded.say(FILES)
    code, report = adopt(onboarded, "train-[001-002]", file)
    assert (code, report["silent"], report["differences"], report["left_out"]) == (0, {}, [], {})
    assert onboarded.say(FILES) == before
    assert "is sound" in onboarded.say(f"{RACKWRIGHT} check {file}")
    design = json.loads(onboarded.say(f"{RACKWRIGHT} design {file} --format json 2>/dev/null"))
    assert design
    declared, drafted = spec.load(example_site).site, spec.load(file).site
    (pool,), (declared_pool,) = drafted.pools, declared.pools
    assert (pool.name, pool.server, pool.count, pool.scheduler) == (
        declared_pool.name,
        declared_pool.server,
        2,
        declared_pool.scheduler,
    )
    running = declared.software.model_dump(exclude_unset=True)
    bill = drafted.software.model_dump(exclude_unset=True)
    assert {name: bill[name] for name in running} == running
    assert bill["os"] == "debian-12"
    assert bill["kernel"] == onboarded.say("ssh train-001 uname -r")
    assert drafted.control.ntp_servers == declared.control.ntp_servers
    by_role = {fabric.role: fabric for fabric in declared.fabrics}
    for fabric in drafted.fabrics:
        assert (fabric.transport, fabric.topology) == (by_role[fabric.role].transport, by_role[fabric.role].topology)
    assert {host: (node["name"], node["address"]) for host, node in report["nodes"].items()} == {
        host: (host, node["answered_at"]) for host, node in report["nodes"].items()
    }
    assert {entry["switch"] for entry in report["neighbours"]} == {"inband-leaf-01", "inband-leaf-02"}


def test_the_drafted_site_reaches_the_nodes(onboarded, tmp_path):
    file = tmp_path / "site.yaml"
    assert adopt(onboarded, "train-[001-002]", file)[0] == 0
    _, output = onboarded.run(
        f"{RACKWRIGHT} collect {file} --nodes train-001,train-002 --work {tmp_path}/work --format json 2>/dev/null"
    )
    evidence = json.loads(output)["nodes"]
    for node in ("train-001", "train-002"):
        assert {"Accelerators", "Host", "Packages", "Rdma"} <= set(evidence[node]["records"])


def test_a_node_with_a_missing_accelerator_is_named_and_not_averaged(fresh, tmp_path):
    code, report = adopt(fresh, "train-[001-002]", tmp_path / "site.yaml")
    assert code == 1
    (difference,) = report["differences"]
    assert (difference["what"], difference["value"], difference["usual"]) == ("accelerators on the PCI bus", "7", "8")
    (pool,) = spec.load(tmp_path / "site.yaml").site.pools
    assert (pool.server, pool.count) == ("dgx-h100", 2)
    assert report["pools"][0]["accelerator"] == "h100-sxm"


def test_a_node_that_is_down_is_named_and_counted(fresh, tmp_path):
    fresh.run("ssh train-001 poweroff")
    code, report = adopt(fresh, "train-[001-002]", tmp_path / "site.yaml")
    assert code == 1
    assert "train-001" in report["silent"]
    assert report["pools"][0]["counted"] == ["train-001"]
    assert spec.load(tmp_path / "site.yaml").site.pools[0].count == 2
    assert "which did not answer" in " ".join(entry["what"] for entry in report["assumed"])
