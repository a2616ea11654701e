"""MIG: layouts by accelerator, applied at boot and never under jobs."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
import yaml

H100 = {"mig_profile": "all-1g.10gb", "mig_manager_version": "0.15.0", "mig_accelerator": "h100-sxm", "mig_gpus": 8}
CONFIGURATION = "/etc/nvidia-mig-manager/rackwright.yaml"


@pytest.mark.parametrize("system", ["debian-12", "ubuntu-22.04", "ubuntu-24.04", "rhel-9"])
def test_one_layout_is_written_as_mig_parted_reads_it(declared, system):
    role = declared("mig", os=system, **H100)
    assert role.refused == ""
    assert role.packages == {"nvidia-mig-manager": "0.15.0-*"}
    layout = yaml.safe_load(role.files[CONFIGURATION])
    required = [{"devices": "all", "mig-enabled": True, "mig-devices": {"1g.10gb": 7}}]
    assert layout == {"version": "v1", "mig-configs": {"all-1g.10gb": required}}
    assert role.verify["Number of instances"]["expect"] == "^56$"


def test_the_selection_is_read_after_that_of_the_package(declared):
    [drop_in] = [path for path in declared("mig", **H100).files if path.endswith(".conf")]
    assert drop_in.rsplit("/", 1)[1] > "override.conf"


@pytest.mark.parametrize(
    ("accelerator", "profile", "per_gpu"),
    [
        ("h200-sxm", "all-3g.71gb", 2),
        ("b200", "all-balanced", 4),
        ("h100-sxm", "all-disabled", 0),
        ("h100-sxm", "mine", 3),
    ],
)
def test_layouts_of_the_vendor_and_of_the_site(declared, accelerator, profile, per_gpu):
    values = {**H100, "mig_accelerator": accelerator, "mig_profile": profile}
    role = declared("mig", **values, mig_layouts={"mine": {"1g.10gb": 2, "3g.40gb": 1}})
    assert role.refused == ""
    assert role.verify["Number of instances"]["expect"] == f"^{8 * per_gpu}$"
    [only] = yaml.safe_load(role.files[CONFIGURATION])["mig-configs"][profile]
    assert only["mig-enabled"] == (profile != "all-disabled")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"mig_profile": "all-1g.18gb"}, "there is no layout all-1g.18gb for h100-sxm"),
        ({"mig_accelerator": "l40s"}, "there is no layout all-1g.10gb for l40s"),
        ({"mig_manager_version": "0.15"}, "full version"),
    ],
)
def test_a_layout_that_does_not_fit_is_refused(declared, more, message):
    assert message in declared("mig", **{**H100, **more}).refused


def test_nothing_is_partitioned_while_jobs_run(declared):
    assert declared("mig", **H100).units["nvidia-mig-manager"]["state"] == "started"
    busy = declared("mig", **H100, rackwright_running_jobs=["job 7"])
    assert busy.units["nvidia-mig-manager"]["state"] == "none"
    assert "job 7" in busy.verify["Layout of every GPU"]["means"]


def test_a_start_that_was_put_off_is_not_forgotten(host_module):
    units, done = host_module("rackwright_units"), []
    act = SimpleNamespace(role="mig", due=lambda key: True, done=done.append)
    units._activate(act, {"name": "nvidia-mig-manager", "state": "none"}, {"ActiveState": "inactive"})
    assert done == []
