"""The whole bring-up of a site whose nodes serve Kubernetes: gate, taints and pods of the twin's own cluster."""

from pathlib import Path

import pytest

from tests.rehearsal.conftest import Rehearsal

pytestmark = [pytest.mark.twin, pytest.mark.fabric, pytest.mark.engine, pytest.mark.kubectl, pytest.mark.kubernetes]

SITE = Path(__file__).parents[1] / "twin" / "sites" / "kubernetes.yaml"


def test_a_short_device_plugin_keeps_its_node_tainted_and_the_other_one_runs_a_pod(tmp_path):
    done = Rehearsal(SITE, tmp_path).run("--nodes", "2", "--fault", "device-plugin-short")
    assert done.code == 0, done.out + done.err
    assert "gpu-001 was refused by kubernetes.accelerators." in done.out
    assert "As injected: exactly the affected node was refused, and the other one ran a job." in done.out
    assert "1 of 1 accepted nodes ran a pod with all their accelerators" in done.err
