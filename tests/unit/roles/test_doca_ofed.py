import pytest

from tests.unit.roles.conftest import SYSTEMS

DOCA = {"doca_ofed_version": "3.2.1"}
KERNEL = {"release": "6.1.0-56-amd64", "cmdline": "", "headers": True, "modules": {"mlx5_core": "25.10-1.7.1"}}
BUILT = [
    {
        "module": "mlnx-ofed-kernel",
        "version": "25.10.OFED.25.10.1.7.1.1",
        "kernel": "6.1.0-56-amd64",
        "state": "installed",
    }
]


@pytest.mark.parametrize("os", SYSTEMS)
def test_a_node_always_gets_one_stack(declared, os):
    vendor, mine = declared("doca_ofed", os=os, **DOCA).packages, declared("doca_ofed", os=os).packages
    assert vendor["doca-ofed"] == "3.2.1*"
    assert "doca-ofed" not in mine
    assert {"rdma-core", "perftest", "infiniband-diags"} <= mine.keys()
    assert not any(mine.values())


def test_kernel_modules_have_the_names_of_the_package_manager(declared):
    assert "mlnx-ofed-kernel-dkms" in declared("doca_ofed", **DOCA).packages
    assert "mlnx-ofa_kernel-dkms" in declared("doca_ofed", os="rhel-9", **DOCA).packages


def test_an_old_mlnx_ofed_goes_first_and_doca_itself_stays(declared):
    old = declared("doca_ofed", facts={"ofed": "MLNX_OFED_LINUX-24.10-1.1.4.0:"}, **DOCA).part("install")
    new = declared("doca_ofed", facts={"ofed": "OFED-internal-25.10-1.7.1:"}, **DOCA).part("install")
    assert {"mlnx-ofed-*", "ofed-scripts", "knem-dkms"} <= set(old["remove"])
    assert not new.get("remove")


def test_dkms_is_the_distributions_and_mft_is_docas_before_anything_is_installed(declared):
    files = {file["path"]: file["text"] for file in declared("doca_ofed", **DOCA).part("install")["files"]}
    (text,) = files.values()
    assert "Package: dkms\nPin: release l=DOCA-HOST*\nPin-Priority: -1" in text
    assert "Package: mft* kernel-mft*\nPin: origin developer.download.nvidia.com\nPin-Priority: -1" in text
    (command,) = declared("doca_ofed", os="rocky-9", **DOCA).commands.values()
    assert "excludepkgs=mft*,kernel-mft*" in command[-1]


def test_openibd_waits_for_the_adapters_and_leaves_ipoib_out(declared):
    files = declared("doca_ofed", **DOCA).files
    unit = files["/etc/systemd/system/openibd.service.d/90-rackwright.conf"]
    assert "After=systemd-udev-settle.service" in unit
    assert "Restart=on-failure" in unit
    assert files["/etc/infiniband/openib.conf"] == "IPOIB_LOAD=no\n"
    assert (
        declared("doca_ofed", **DOCA, doca_ofed_ipoib=True).files["/etc/infiniband/openib.conf"] == "IPOIB_LOAD=yes\n"
    )


def test_openibd_is_never_restarted(declared):
    assert "restart_on" not in declared("doca_ofed", **DOCA).units["openibd"]


def test_modules_must_be_built_for_the_kernel_that_runs(declared):
    role = declared("doca_ofed", facts={"kernel": KERNEL}, **DOCA).verify["Modules for the running kernel"]
    assert role["expect"].startswith("^mlnx-ofed-kernel/[^,]+, 6\\.1\\.0\\-56\\-amd64")


@pytest.mark.parametrize(("loaded", "reasons"), [("25.10-1.7.1", 0), ("24.10-1.1.4", 1), ("", 0)])
def test_other_modules_in_memory_are_a_reason_to_reboot(declared, loaded, reasons):
    kernel = {**KERNEL, "modules": {"mlx5_core": loaded}}
    assert len(declared("doca_ofed", facts={"kernel": kernel, "dkms": BUILT}, **DOCA).reboot) == reasons


def test_a_vendor_stack_that_nobody_asked_for_is_found(declared):
    assert "One stack" in declared("doca_ofed").verify
    assert "One stack" not in declared("doca_ofed", **DOCA).verify


def test_a_version_that_is_none_is_refused(declared):
    assert "full version (found 3.2)" in declared("doca_ofed", doca_ofed_version="3.2").refused
    assert declared("doca_ofed", **DOCA).refused == ""
    assert declared("doca_ofed").refused == ""
