import re

import pytest


def arguments(role):
    text = role.files["/etc/default/grub.d/zz-rackwright-arguments.cfg"]
    return re.search(r'^GRUB_CMDLINE_LINUX="\$GRUB_CMDLINE_LINUX (.*)"$', text, re.MULTILINE)[1].split()


def started(line):
    return {"kernel": {"release": "6.1.0-49-amd64", "cmdline": line, "modules": {}, "headers": True}}


def test_intel_gets_its_iommu_switched_on_and_amd_has_it(declared):
    assert arguments(declared("boot_cmdline", boot_cmdline_vendor="nvidia", facts={"cpu": "intel"})) == [
        "iommu=pt",
        "numa_balancing=disable",
        "intel_iommu=on",
    ]
    assert arguments(declared("boot_cmdline", boot_cmdline_vendor="amd", facts={"cpu": "amd"})) == [
        "iommu=pt",
        "numa_balancing=disable",
    ]


def test_mi300x_keeps_its_memory_windows(declared):
    role = declared("boot_cmdline", boot_cmdline_vendor="amd", boot_cmdline_accelerator="mi300x")
    assert "pci=realloc=off" in arguments(role)
    assert "pci=realloc=off" not in arguments(declared("boot_cmdline", boot_cmdline_accelerator="h100-sxm"))


def test_trays_of_rack_scale_systems_have_the_list_of_grace(declared):
    role = declared("boot_cmdline", os="ubuntu-24.04", boot_cmdline_rack_scale=True, facts={"cpu": "arm"})
    assert arguments(role) == [
        "efi_mmap_nr_slack_slots=256",
        "numa_balancing=disable",
        "iommu.passthrough=1",
        "irqchip.gicv3_nolpi=y",
        "arm_smmu_v3.disable_msipolling=1",
        "init_on_alloc=0",
        "nvme_core.io_timeout=240",
        "panic=-1",
    ]
    assert role.units["irqbalance"]["state"] == "stopped"
    assert "irqbalance" not in declared("boot_cmdline").units


def test_rhel_keeps_nouveau_out_of_the_initial_ram_disk(declared):
    reported = declared("boot_cmdline", os="rhel-9", boot_cmdline_vendor="nvidia").commands["Set the kernel arguments"]
    assert reported[:2] == ["grubby", "--update-kernel=ALL"]
    assert "rd.driver.blacklist=nouveau" in reported[2]
    assert (
        "nouveau"
        not in declared("boot_cmdline", os="rhel-9", boot_cmdline_vendor="amd").commands["Set the kernel arguments"][2]
    )


def test_what_the_site_says_replaces_what_the_platform_says(declared):
    role = declared("boot_cmdline", boot_cmdline_extra=["iommu=off", "hugepages=64"])
    assert arguments(role) == ["numa_balancing=disable", "iommu=off", "hugepages=64"]
    assert arguments(declared("boot_cmdline", boot_cmdline_without=["numa_balancing"])) == ["iommu=pt"]


def test_a_name_that_begins_alike_is_another_argument(declared):
    role = declared(
        "boot_cmdline", os="ubuntu-24.04", boot_cmdline_rack_scale=True, boot_cmdline_extra=["panic_on_oops=1"]
    )
    assert {"panic=-1", "panic_on_oops=1"} <= set(arguments(role))


def test_a_reboot_is_asked_for_as_long_as_an_argument_is_missing(declared):
    text = declared("boot_cmdline", facts=started("ro quiet iommu=ptx numa_balancing=disable")).reboot
    assert text == ["boot_cmdline: the kernel was started without iommu=pt"]
    assert declared("boot_cmdline", facts=started("ro iommu=pt numa_balancing=disable quiet")).reboot == []


@pytest.mark.parametrize(
    ("line", "good"),
    [
        ("ro iommu=pt numa_balancing=disable quiet", True),
        ("numa_balancing=disable iommu=pt", True),
        ("ro iommu=pt", False),
        ("ro xiommu=pt numa_balancing=disable", False),
        ("ro iommu=pt,strict numa_balancing=disable", False),
    ],
)
def test_verification_looks_for_whole_arguments(declared, line, good):
    entry = declared("boot_cmdline").verify["Kernel arguments"]
    assert bool(re.search(entry["expect"], line, re.MULTILINE)) is good


@pytest.mark.parametrize("wrong", ["iommu=pt quiet", "a=$(reboot)", 'b="1"', ""])
def test_what_is_not_one_argument_is_refused(declared, wrong):
    assert "boot_cmdline_extra" in declared("boot_cmdline", boot_cmdline_extra=[wrong]).refused


def test_names_to_leave_out_have_no_values(declared):
    assert "boot_cmdline_without" in declared("boot_cmdline", boot_cmdline_without=["iommu=pt"]).refused
    assert declared("boot_cmdline", boot_cmdline_without=["iommu"]).refused == ""
