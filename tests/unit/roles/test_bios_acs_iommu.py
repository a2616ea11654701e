import importlib.util
import struct
from pathlib import Path

import pytest

FILE = Path(__file__).parents[3] / "roles" / "bios_acs_iommu" / "files" / "rackwright_platform.py"


@pytest.fixture
def platform(tmp_path, monkeypatch):
    """The program, on a machine whose PCI bus is a folder and whose setpci writes there."""
    spec = importlib.util.spec_from_file_location("rackwright_platform", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "machine", lambda: "")
    written = []

    def setpci(*argv):
        written.append(argv)
        config = tmp_path / "sys/bus/pci/devices" / argv[2] / "config"
        space = bytearray(config.read_bytes())
        struct.pack_into("<H", space, 0x150 + 6, 0)
        config.write_bytes(space)
        return ""

    monkeypatch.setattr(module, "run", setpci)
    module.written = written
    return module


def function(root, address, kind, control=None, resource=""):
    """One PCI function: advanced error reporting first, then ACS where `control` is its register."""
    folder = root / "sys/bus/pci/devices" / address
    folder.mkdir(parents=True)
    (folder / "class").write_text(f"{kind}\n")
    (folder / "resource").write_text(resource)
    space = bytearray(4096)
    struct.pack_into("<I", space, 0x100, 0x0001 | 1 << 16 | (0x150 << 20 if control is not None else 0))
    if control is not None:
        struct.pack_into("<IHH", space, 0x150, 0x000D | 1 << 16, 0x5F, control)
    (folder / "config").write_bytes(space)


def test_access_control_is_turned_off_on_bridges_alone(platform, tmp_path, capsys):
    function(tmp_path, "0000:1a:00.0", "0x060400", control=0x1D)
    function(tmp_path, "0000:1b:00.0", "0x060400", control=0)
    function(tmp_path, "0000:1c:00.0", "0x060400")
    function(tmp_path, "0000:1d:00.0", "0x030200", control=0x1D)
    root = ["--root", str(tmp_path)]
    assert platform.main(["check", *root]) == 1
    assert (
        "PCIe bridge 0000:1a:00.0 redirects peer traffic to the root complex (ACS control 001d)"
        in capsys.readouterr().err
    )
    assert platform.main(["apply", *root]) == 0
    assert platform.written == [("setpci", "-s", "0000:1a:00.0", "ECAP_ACS+0x6.w=0000")]
    assert platform.main(["check", *root]) == 0


def test_a_bridge_that_keeps_its_setting_is_said(platform, tmp_path, monkeypatch, capsys):
    function(tmp_path, "0000:1a:00.0", "0x060400", control=0x1D)
    monkeypatch.setattr(platform, "run", lambda *argv: "")
    assert platform.main(["apply", "--root", str(tmp_path)]) == 1
    assert "else turn ACS off in the firmware" in capsys.readouterr().err


@pytest.mark.parametrize("guest", ["kvm", "oracle", "lxc", "possible"])
def test_a_guest_is_left_as_its_hypervisor_set_it(platform, tmp_path, monkeypatch, capsys, guest):
    function(tmp_path, "0000:1a:00.0", "0x060400", control=0x1D)
    monkeypatch.setattr(platform, "machine", lambda: guest)
    for verb in ("apply", "check"):
        assert platform.main([verb, "--root", str(tmp_path), "--iommu", "on"]) == 0
    assert platform.written == []
    assert f"{guest} guest" in capsys.readouterr().out


def test_what_cannot_be_told_counts_as_a_guest(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("rackwright_platform", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert module.machine() == "possible"
    program = tmp_path / "systemd-detect-virt"
    for output, expected in (("none", ""), ("kvm", "kvm"), ("", "possible")):
        program.write_text(f"#!/bin/sh\necho {output}\nexit 1\n")
        program.chmod(0o755)
        assert module.machine() == expected


def test_hosts_that_pass_devices_to_guests_keep_access_control(platform, tmp_path):
    function(tmp_path, "0000:1a:00.0", "0x060400", control=0x1D)
    assert platform.main(["apply", "--acs", "keep", "--root", str(tmp_path)]) == 0
    assert platform.written == []


def test_an_iommu_is_missed_where_it_must_be_there(platform, tmp_path, capsys):
    root = ["--root", str(tmp_path)]
    assert platform.main(["check", "--iommu", "on", *root]) == 1
    assert "turn VT-d or AMD-Vi (IOMMU) on in the firmware" in capsys.readouterr().err
    (tmp_path / "sys/class/iommu/dmar0").mkdir(parents=True)
    assert platform.main(["check", "--iommu", "on", *root]) == 0


def test_numa_nodes_with_processors_are_counted(platform, tmp_path, capsys):
    for number, cpus in enumerate(["0-47", "48-95", "96-143", "144-191", ""]):
        folder = tmp_path / f"sys/devices/system/node/node{number}"
        folder.mkdir(parents=True)
        (folder / "cpulist").write_text(f"{cpus}\n")
    root = ["--root", str(tmp_path)]
    assert platform.main(["check", "--numa-nodes", "2", *root]) == 1
    assert "shows 4 NUMA nodes with processors, expected 2: set NPS1" in capsys.readouterr().err
    assert platform.main(["check", "--numa-nodes", "4", *root]) == 0
    assert platform.main(["check", *root]) == 0


def test_an_accelerator_without_address_for_its_memory_is_said(platform, tmp_path, capsys):
    good = "0x0000380000000000 0x0000381fffffffff 0x000000000014220c\n0x0 0x0 0x0\n"
    lost = "0x0000000000000000 0x0000001fffffffff 0x0000000000142208\n"
    function(tmp_path, "0000:1b:00.0", "0x120000", resource=good)
    assert platform.main(["check", "--root", str(tmp_path)]) == 0
    function(tmp_path, "0000:3d:00.0", "0x120000", resource=lost)
    assert platform.main(["check", "--root", str(tmp_path)]) == 1
    assert "accelerator 0000:3d:00.0 has no address for its memory" in capsys.readouterr().err


def test_the_role_runs_it_at_every_boot_before_anything_opens_a_device(declared):
    role = declared("bios_acs_iommu", bios_acs_iommu_numa_nodes=2)
    text = role.files["/etc/systemd/system/rackwright-platform.service"]
    assert "ExecStart=/usr/local/sbin/rackwright-platform apply --acs off" in text
    assert "WantedBy=multi-user.target" in text
    assert role.files["/usr/local/sbin/rackwright-platform"] == FILE.read_text()
    run = role.verify["PCIe access control, IOMMU and firmware"]["run"]
    assert run[-1] == "--numa-nodes=2"
    assert (
        "keep"
        in declared("bios_acs_iommu", bios_acs_iommu_acs="keep").verify["PCIe access control, IOMMU and firmware"][
            "run"
        ]
    )


def test_a_choice_that_there_is_not_is_refused(declared):
    assert "bios_acs_iommu_acs" in declared("bios_acs_iommu", bios_acs_iommu_acs="on").refused
