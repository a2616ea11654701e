"""Fabric manager, subnet manager and IMEX by board: packages, units, refusals, and what every GPU must show."""

from __future__ import annotations

import re

import pytest

HGX = {"nvidia_driver_version": "580.173.02", "nvidia_fabric_version": "580.173.02", "nvidia_fabric_gpus": 8}
B200 = {**HGX, "nvidia_fabric_nvlink5": True, "nvidia_fabric_nvlsm_version": "2025.10.12"}
TRAYS = [f"10.0.4.{16 + tray}" for tray in range(18)]
NVL72 = {"nvidia_driver_version": "580.173.02", "nvidia_fabric_nvswitch": False, "nvidia_fabric_domain": TRAYS}
LOG = """\
GPU 00000000:{0}:00.0
    Fabric
        State                             : {1}
        Status                            : {2}
    Temperature
        GPU Current Temp                  : 34 C
"""


@pytest.mark.parametrize("system", ["debian-12", "ubuntu-22.04", "ubuntu-24.04", "rhel-9", "rocky-9"])
def test_nvswitches_get_the_fabric_manager_and_nscq_of_the_driver(declared, system):
    role = declared("nvidia_fabric", os=system, **HGX)
    assert role.packages == {"nvidia-fabricmanager": "580.173.02-*", "libnvidia-nscq": "580.173.02-*"}
    assert list(role.units) == ["nvidia-fabricmanager"]
    assert role.refused == ""


def test_names_end_in_the_branch_below_580(declared):
    old = {"nvidia_driver_version": "570.211.01"}
    assert set(declared("nvidia_fabric", **old).packages) == {"nvidia-fabricmanager-570", "libnvidia-nscq-570"}
    assert set(declared("nvidia_fabric", os="rhel-9", **old).packages) == {
        "nvidia-fabric-manager",
        "libnvidia-nscq-570",
    }


def test_an_empty_version_is_that_of_the_driver(declared):
    assert (
        declared("nvidia_fabric", nvidia_driver_version="580.173.02").packages["nvidia-fabricmanager"] == "580.173.02-*"
    )


def test_fifth_generation_boards_get_their_subnet_manager_and_its_modules_first(declared):
    role = declared("nvidia_fabric", **B200)
    assert role.packages["nvlsm"] == "2025.10.12-*"
    assert role.packages["libnvsdm"] == "580.173.02-*"
    assert "infiniband-diags" in role.packages
    assert role.files["/etc/modules-load.d/90-rackwright-nvlink5.conf"].endswith("mlx5_core\nib_umad\n")
    drop_in = role.files["/etc/systemd/system/nvidia-fabricmanager.service.d/90-rackwright.conf"]
    assert "ExecStartPre=/sbin/modprobe --all mlx5_core ib_umad" in drop_in
    assert "nvlsm" in declared("nvidia_fabric", **HGX).part("install")["remove"]


def test_trays_of_a_rack_get_imex_for_the_whole_domain_and_no_fabric_manager(declared):
    role = declared("nvidia_fabric", **NVL72)
    assert role.packages == {"nvidia-imex": "580.173.02-*"}
    assert {"nvidia-fabricmanager*", "nvlsm"} <= set(role.part("install")["remove"])
    assert role.files == {"/etc/nvidia-imex/nodes_config.cfg": "".join(f"{tray}\n" for tray in TRAYS)}
    assert role.units["nvidia-imex"]["enabled"]
    assert role.verify["Trays of the NVLink domain"]["expect"] == "^18$"
    assert "Fabric manager" not in role.verify


def test_imex_that_the_scheduler_starts_is_not_a_service(declared):
    unit = declared("nvidia_fabric", **NVL72, nvidia_fabric_imex_mode="job").units["nvidia-imex"]
    assert (unit["enabled"], unit["state"]) == (False, "stopped")
    assert "IMEX" not in declared("nvidia_fabric", **NVL72, nvidia_fabric_imex_mode="job").verify


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({**HGX, "nvidia_fabric_version": "580.126.20"}, "exactly the version of the driver"),
        ({**NVL72, "nvidia_fabric_imex_version": "580.126.20"}, "IMEX must have exactly the version"),
        ({**B200, "nvidia_fabric_nvlsm_version": ""}, "give software.nvlsm"),
        ({**B200, "nvidia_driver_version": "560.35.03", "nvidia_fabric_version": ""}, "branch 570 or newer"),
        ({**NVL72, "nvidia_fabric_domain": ["10.0.4.16", "10.0.4.16"]}, "stands twice"),
        ({**HGX, "nvidia_fabric_mode": 3}, "nvidia_fabric_mode"),
    ],
)
def test_what_cannot_run_is_refused(declared, options, message):
    assert message in declared("nvidia_fabric", **options).refused


def test_the_fabric_mode_is_one_line_and_the_daemon_follows_it(declared):
    role = declared("nvidia_fabric", **HGX, nvidia_fabric_mode=2)
    assert role.commands["Set the fabric mode"][2] == "s/^FABRIC_MODE=.*/FABRIC_MODE=2/"
    configuration = "/usr/share/nvidia/nvswitch/fabricmanager.cfg"
    assert configuration in role.watchers["nvidia_fabric.unit.nvidia-fabricmanager"]


@pytest.mark.parametrize(
    ("states", "good"),
    [
        ([("Completed", "Success")] * 8, True),
        ([("Completed", "Success")] * 7, False),
        ([("Completed", "Success")] * 7 + [("In Progress", "N/A")], False),
        ([("Completed", "Success")] * 7 + [("Completed", "Failure")], False),
    ],
)
def test_every_gpu_must_have_joined_the_fabric(declared, states, good):
    verify = declared("nvidia_fabric", **HGX).verify
    log = "".join(LOG.format(f"{index:02x}", *state) for index, state in enumerate(states))
    joined = re.search(verify["GPUs that joined the fabric"]["expect"], log, re.MULTILINE)
    outside = re.search(verify["GPUs outside of the fabric"]["expect_not"], log, re.MULTILINE)
    assert bool(joined and not outside) == good


def test_only_ready_is_ready(declared):
    """nvidia-imex-ctl(1) has other states whose names could end alike; an answer is one word."""
    role = declared(
        "nvidia_fabric",
        nvidia_driver_version="580.173.02",
        nvidia_fabric_domain=["10.0.0.1", "10.0.0.2"],
        nvidia_fabric_imex_mode="static",
    ).verify["IMEX"]
    assert re.search(role["expect"], "READY\n", re.MULTILINE)
    assert not re.search(role["expect"], "NOT_READY\n", re.MULTILINE)
