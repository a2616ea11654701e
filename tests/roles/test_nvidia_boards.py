"""nvidia_fabric and gpudirect on boards that the example site has not: NVSwitches of the fifth generation, trays of a rack."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from testinfra.host import Host

from tests.roles.cast import FURTHER, HERE
from tests.roles.conftest import Backend, Theatre

pytestmark = [pytest.mark.twin, pytest.mark.slurm]
SITE = HERE / "sites" / "nvidia.yaml"
BOARDS = FURTHER[SITE.name]


@pytest.fixture
def boards(theatre: Callable[[Path], Theatre]) -> Theatre:
    return theatre(SITE)


def on(theatre: Theatre, node: str) -> Host:
    return Host(Backend(theatre.shell, node, Path(theatre.work) / "errors.txt"))


@pytest.mark.parametrize("node", sorted(BOARDS))
def test_check_play_second_play_and_verification(boards, node):
    scene = node, BOARDS[node]
    for play in (boards.check, boards.converge, boards.again, boards.verify):
        assert play[scene].good, play[scene].failures
    assert boards.check[scene].changed
    assert not boards.again[scene].changed


def test_fifth_generation_switches_have_their_subnet_manager(boards):
    host = on(boards, "fifth-001")
    assert host.package("nvlsm").version == "2025.10.12-1"
    assert host.package("libnvsdm").version == host.package("nvidia-fabricmanager").version == "580.173.02-1"
    assert {"mlx5_core", "ib_umad"} <= set(host.check_output("lsmod").split())
    assert host.file("/run/nvidia-fabricmanager/nvlsm.pid").exists
    states = host.check_output("nvidia-smi --query-gpu=fabric.state,fabric.status --format=csv,noheader").splitlines()
    assert states == ["Completed, Success"] * 8


def test_a_tray_has_imex_for_its_rack_and_no_fabric_manager(boards):
    host = on(boards, "tray-001")
    assert host.package("nvidia-imex").version == "580.173.02-1"
    assert not host.package("nvidia-fabricmanager").is_installed
    nodes = host.file("/etc/nvidia-imex/nodes_config.cfg").content_string.split()
    assert len(nodes) == len(set(nodes)) == 18
    assert host.check_output("nvidia-imex-ctl -q") == "READY"
    assert host.check_output("nvidia-imex-ctl -N").count(" - READY - ") == 1
    assert "CoherentGPUMemoryMode=driver" in host.file("/etc/modprobe.d/90-rackwright-nvidia.conf").content_string


def test_gpudirect_storage_comes_where_the_bill_and_the_storage_ask_for_it(boards):
    host = on(boards, "sliced-002")
    assert host.package("nvidia-fs-dkms").version == "2.29.4-1"
    assert {"nvidia-fs-dkms", "libcufile-13-0", "gds-tools-13-0"} <= set(host.check_output("apt-mark showhold").split())
    assert "nvidia_fs version: 2.29.4" in host.check_output("/usr/local/cuda-13.0/gds/tools/gdscheck -p")
