import re

import pytest

PATH = "/etc/sysctl.d/90-rackwright.conf"
GOOD = """\
kernel.numa_balancing = 0
net.ipv4.neigh.default.gc_thresh1 = 4096
net.ipv4.neigh.default.gc_thresh2 = 8192
net.ipv4.neigh.default.gc_thresh3 = 16384
vm.zone_reclaim_mode = 1
"""


def test_rails_answer_for_themselves_only(declared):
    text = declared("limits_sysctl", limits_sysctl_roce_interfaces=["rdma0", "rdma1"]).files[PATH]
    for name in ("rdma0", "rdma1"):
        assert f"-net/ipv4/conf/{name}/rp_filter = 2\n" in text
        assert f"-net/ipv4/conf/{name}/arp_ignore = 2\n" in text
        assert f"-net/ipv4/conf/{name}/arp_announce = 1\n" in text
    assert "arp_ignore" not in declared("limits_sysctl").files[PATH]


def test_rack_scale_has_large_socket_buffers(declared):
    text = declared("limits_sysctl", limits_sysctl_rack_scale=True).files[PATH]
    assert "net.core.rmem_max = 2147483647\n" in text
    assert "net.ipv4.tcp_wmem = 4096 65536 1073741824\n" in text
    assert "rmem_max" not in declared("limits_sysctl").files[PATH]


def test_amd_maps_more_and_the_site_has_the_last_word(declared):
    text = declared("limits_sysctl", limits_sysctl_vendor="amd", limits_sysctl_more={"vm.zone_reclaim_mode": 0}).files[
        PATH
    ]
    assert "vm.max_map_count = 1048576\n" in text
    assert "vm.zone_reclaim_mode = 0\n" in text


@pytest.mark.parametrize(
    ("system", "there"), [("ubuntu-24.04", True), ("ubuntu-22.04", False), ("debian-12", False), ("rhel-9", False)]
)
def test_only_ubuntu_2404_must_be_told_to_let_enroot_work(declared, system, there):
    name = "kernel.apparmor_restrict_unprivileged_userns = 0"
    assert (name in declared("limits_sysctl", os=system).files[PATH]) is there
    closed = declared("limits_sysctl", os=system, limits_sysctl_unprivileged_containers=False)
    assert name not in closed.files[PATH]


def test_what_belongs_to_a_module_is_set_when_the_module_loads(declared):
    role = declared("limits_sysctl").files
    assert "options sunrpc tcp_max_slot_table_entries=128" in role["/etc/modprobe.d/90-rackwright-sunrpc.conf"]
    assert "-sunrpc.tcp_max_slot_table_entries = 128\n" in role[PATH]


def test_read_ahead_of_nfs_follows_the_option(declared):
    path = "/etc/udev/rules.d/90-rackwright-nfs-readahead.rules"
    assert 'ATTR{read_ahead_kb}="15380"' in declared("limits_sysctl").files[path]
    entries = declared("limits_sysctl", limits_sysctl_nfs_readahead_kib=0).part("configure")["files"]
    assert [entry for entry in entries if entry["path"] == path] == [{"path": path, "absent": True}]


def test_huge_pages_are_reserved_early_and_counted(declared):
    role = declared(
        "limits_sysctl", limits_sysctl_hugepages={"2048": 512}, limits_sysctl_transparent_hugepages="madvise"
    )
    text = role.files["/etc/systemd/system/rackwright-memory.service"]
    assert "echo 512 > /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages" in text
    assert "nr_hugepages) -ge 512" in text, "the kernel may give fewer, and that must not pass in silence"
    assert "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled" in text
    assert "rackwright-memory" in role.units
    assert "rackwright-memory" not in declared("limits_sysctl").units


def test_a_size_of_pages_that_no_kernel_has_is_refused(declared):
    assert "found 2M" in declared("limits_sysctl", limits_sysctl_hugepages={"2M": 4}).refused
    assert declared("limits_sysctl", limits_sysctl_hugepages={"1048576": 4}).refused == ""


@pytest.mark.parametrize(
    ("message", "good"),
    [
        (GOOD, True),
        (GOOD.replace("= 1\n", "= 0\n"), False),
        (GOOD.replace("vm.zone_reclaim_mode = 1\n", ""), True),  # a kernel without NUMA has no such parameter
        (GOOD.replace("16384", "163840"), False),
    ],
)
def test_verification_compares_every_parameter(host_module, declared, message, good):
    entry = declared("limits_sysctl").verify["Kernel parameters"]
    assert (host_module("rackwright_verify")._mismatch(entry, message.rstrip("\n"), "sysctl") == "") is good


def test_parts_of_a_value_are_compared_with_tabs_between(declared):
    entry = declared("limits_sysctl", limits_sysctl_rack_scale=True).verify["Kernel parameters"]
    assert re.search(entry["expect"], "net.ipv4.tcp_rmem = 4096\t131072\t1073741824")
    assert not re.search(entry["expect"], "net.ipv4.tcp_rmem = 4096\t131072\t6291456")
