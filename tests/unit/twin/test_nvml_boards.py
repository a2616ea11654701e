"""What boards have beyond a GPU: instances of MIG, a subnet manager on fifth-generation NVSwitches, IMEX on trays of a rack."""

import os
import shutil
import subprocess
from dataclasses import replace

import pytest

from rackwright.twin.mirror.families import FOLDER
from tests.patience import PATIENCE
from tests.unit.twin import nvml_bench as bench

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


def mig_mode(node):
    return node.run("nvidia-smi", "--query-gpu=mig.mode.current", "--format=csv,noheader").stdout.split()


def test_instances_are_those_that_were_made_and_end_with_a_reboot(node):
    assert mig_mode(node) == ["Disabled", "Disabled"]
    nobody = node.run("nvidia-smi", "mig", "-lgi")
    assert (nobody.returncode, nobody.stdout) == (6, "No GPU instances found: Not Found\n")
    state = node.root / "run/rackwright-twin/mig"
    state.write_text("0 enabled\n0 1g.10gb\n0 3g.40gb\n10 enabled\n")
    assert mig_mode(node) == ["Enabled", "Disabled"]
    table = node.run("nvidia-smi", "mig", "-lgi").stdout
    rows = [line.split()[1:6] for line in table.splitlines() if " MIG " in line]
    assert rows == [["0", "MIG", "1g.10gb", "19", "1"], ["0", "MIG", "3g.40gb", "9", "2"]]
    state.unlink()
    assert mig_mode(node) == ["Disabled", "Disabled"]


def test_a_gpu_without_mig_has_no_mode(node):
    node.show(bench.machine(bench.gpu(0, product_name="NVIDIA L40S")))
    assert mig_mode(node) == ["[N/A]"]


def test_fifth_generation_switches_need_their_subnet_manager(node, tmp_path):
    node.show(bench.machine(bench.gpu(0, product_name="NVIDIA B200")))
    refused = node.run("nv-fabricmanager", "-c", "fabricmanager.cfg")
    assert refused.returncode == 1
    assert "could not connect to NVLSM" in refused.stderr
    daemon = tmp_path / "nvlsm"
    daemon.write_text("#!/bin/sh\necho up\nwhile :; do sleep 0.1; done\n")
    daemon.chmod(0o755)
    running = subprocess.Popen([daemon], stdout=subprocess.PIPE)
    assert running.stdout is not None
    assert running.stdout.readline() == b"up\n"  # before that the kernel may still show no command line
    try:
        (node.root / "run/nvidia-fabricmanager").mkdir(exist_ok=True)
        pid = node.root / "run/nvidia-fabricmanager/nvlsm.pid"
        pid.write_text(f"{running.pid}\n")
        started = node.run("nv-fabricmanager", "-c", "fabricmanager.cfg")
        assert started.returncode == 0, started.stderr
    finally:
        (node.root / "run/nvidia-fabricmanager/nvlsm.pid").unlink(missing_ok=True)
        running.kill()
        running.communicate()


def test_imex_needs_the_driver_of_its_version_and_a_list_of_nodes(node):
    assert "No nodes found" in node.run("nvidia-imex").stderr
    nodes = node.root / "etc/nvidia-imex/nodes_config.cfg"
    nodes.parent.mkdir(parents=True)
    nodes.write_text("# trays of the rack\n10.0.4.16\n10.0.4.17\n")
    newer = node.run("nvidia-imex", release=bench.NEWER)
    assert (newer.returncode, "does not match driver version" in newer.stderr) == (1, True)
    assert node.run("nvidia-imex").returncode == 0
    assert (node.root / "run/nvidia-imex/nvidia-imex.pid").exists()


CONFIGURATION = """\
version: v1
mig-configs:
  all-1g.10gb:
    - devices: all
      mig-enabled: true
      mig-devices:
        "1g.10gb": 7
  too-much:
    - devices: all
      mig-enabled: true
      mig-devices:
        "3g.40gb": 3
  all-disabled:
    - devices: all
      mig-enabled: false
"""


@pytest.fixture
def parted(node, tmp_path, compiled):
    """nvidia-mig-parted of the mirror, on the node of this test."""
    smi = tmp_path / "bin" / "nvidia-smi"
    smi.parent.mkdir()
    smi.symlink_to(compiled / f"driver-{bench.DRIVER}" / "nvidia-smi")
    program, file = tmp_path / "nvidia-mig-parted", tmp_path / "config.yaml"
    text = (FOLDER / "files" / "nvidia-mig-parted").read_text()
    program.write_text(text.replace("/run/rackwright-twin/mig", str(node.root / "run/rackwright-twin/mig")))
    file.write_text(CONFIGURATION)

    def run(verb, name, *more):
        environment = {**node.environment, "PATH": f"{smi.parent}:{os.environ['PATH']}"}
        command = ["python3", program, verb, "-f", str(file), "-c", name, *more]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)

    return run


def test_a_layout_is_applied_asserted_and_taken_back(node, parted):
    assert parted("assert", "all-1g.10gb").returncode == 1
    assert parted("apply", "all-1g.10gb").returncode == 0
    assert parted("assert", "all-1g.10gb").returncode == 0
    assert parted("assert", "all-disabled").returncode == 1
    assert node.run("nvidia-smi", "mig", "-lgi").stdout.count(" MIG ") == 14
    assert parted("apply", "all-disabled").returncode == 0
    assert parted("assert", "all-disabled").returncode == 0


def test_the_mode_alone_leaves_instances_to_a_second_step(node, parted):
    assert parted("apply", "all-1g.10gb", "--mode-only").returncode == 0
    assert parted("assert", "all-1g.10gb", "--mode-only").returncode == 0
    assert parted("assert", "all-1g.10gb").returncode == 1
    assert mig_mode(node) == ["Enabled", "Enabled"]


def test_a_layout_that_cannot_be_is_refused(node, parted):
    assert "do not fit" in parted("apply", "too-much").stderr
    assert "not present" in parted("apply", "no-such").stderr
    node.show(replace(bench.machine(bench.gpu(0, product_name="NVIDIA L40S"))))
    assert "not supported" in parted("apply", "all-1g.10gb").stderr
