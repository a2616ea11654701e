"""What the tools of vendors say on a node, and the files that bring them there."""

from __future__ import annotations

import importlib
import json
import subprocess
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rackwright.model.site import Software
from rackwright.twin.guest.vendors import node as state
from rackwright.twin.mirror import definition, run_file

MODULES = {"amd": "amdgpu", "huawei": "drv_pcie_host", "intel": "habanalabs", "moore-threads": "mtgpu", "biren": "biren", "cambricon": "cambricon-drv", "hygon": "hydcu", "metax": "metax"}  # fmt: skip


def accelerator(index: int, **change: Any) -> dict[str, Any]:
    return {
        "index": index, "card": index, "chip": 0, "chips": 1, "vendor": "", "architecture": "cdna3", "product": "X1", "serial": str(8000 + index), "uuid": f"GPU-{index}",
        "bus_id": f"0000:{0x1B + index:02x}:00.0", "pci_vendor": "1002", "pci_device": "74a1", "memory_mib": 65536,
        "memory_used_mib": 0, "firmware": "1.0", "temperature_celsius": 34, "power_watts": 40, "power_limit_watts": 400,
        "pcie_generation": 5, "pcie_width": 16, "links": 7, "links_down": 0, "ecc_uncorrected": 0, "ecc_corrected": 0,
        "healthy": True, **change,
    }  # fmt: skip


@pytest.fixture
def on(tmp_path, monkeypatch, capsys):
    """``on("amd", "amd_smi", "list")``: exit status and output on a node with two accelerators."""

    def run(
        vendor: str, tool: str, *words: str, loaded: bool = True, called: str = "", **change: Any
    ) -> tuple[int, str]:
        document = {
            "vendor": vendor,
            "module": MODULES[vendor],
            "accelerators": [accelerator(0), accelerator(1, **change)],
        }
        (tmp_path / "state").write_text(json.dumps(document))
        folder = tmp_path / "modules" / MODULES[vendor].replace("-", "_")
        if loaded:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "version").write_text("25.2.3\n")
        for name, value in {
            "STATE": "state",
            "MODULES": "modules",
            "FIRMWARE": "firmware",
            "PROCESSES": "processes",
        }.items():
            monkeypatch.setattr(state, name, str(tmp_path / value))
        monkeypatch.setattr("sys.argv", [f"/usr/bin/{called or tool}", *words])
        module: ModuleType = importlib.import_module(f"rackwright.twin.guest.vendors.{tool}")
        code = module.main()
        captured = capsys.readouterr()
        return code, captured.out + captured.err

    return run


@pytest.mark.parametrize(
    ("vendor", "tool", "words"),
    [
        ("amd", "amd_smi", ["list"]),
        ("amd", "rocm_smi", []),
        ("huawei", "npu_smi", ["info"]),
        ("huawei", "hccn_tool", ["-i", "0", "-link", "-g"]),
        ("intel", "hl_smi", []),
        ("moore-threads", "mthreads_gmi", []),
        ("biren", "brsmi", ["gpu", "list"]),
        ("cambricon", "cnmon", []),
        ("metax", "mx_smi", []),
    ],
)
def test_a_tool_answers_only_while_its_driver_is_loaded(on, vendor, tool, words):
    assert on(vendor, tool, *words, loaded=False)[0] != 0
    assert on(vendor, tool, *words)[0] == 0


def test_amd_smi_has_the_shape_of_the_vendors_json(on):
    rows = json.loads(on("amd", "amd_smi", "list", "--json")[1])
    assert [sorted(row) for row in rows] == [["bdf", "gpu", "kfd_id", "node_id", "partition_id", "uuid"]] * 2
    static = json.loads(on("amd", "amd_smi", "static", "--json")[1])["gpu_data"][1]
    assert static["driver"] == {"name": "amdgpu", "version": "25.2.3"}
    assert static["limit"]["max_power"] == {"value": 400, "unit": "W"}
    metric = json.loads(on("amd", "amd_smi", "metric", "--json", ecc_uncorrected=3)[1])["gpu_data"][1]
    assert metric["ecc"]["total_uncorrectable_count"] == 3
    assert json.loads(on("amd", "amd_smi", "version", "--json")[1])[0]["amdgpu_version"] == "25.2.3"


def test_a_link_that_is_down_shows(on):
    assert "GPU1   0000:1c:00.0  U X" in on("amd", "amd_smi", "xgmi", "--link-status")[1]
    assert "GPU1   0000:1c:00.0  D X" in on("amd", "amd_smi", "xgmi", "-l", links_down=1)[1]


def test_npu_smi_and_hl_smi_show_what_collectors_read(on):
    code, table = on("huawei", "npu_smi", "info", healthy=False)
    assert code == 0
    assert "| 0     X1                  | OK            |" in table
    assert "| 1     X1                  | Alarm         |" in table
    assert "Software Version               : 25.2.3" in on("huawei", "npu_smi", "info", "-t", "board", "-i", "0")[1]
    assert on("huawei", "npu_smi", "info", "-t", "health", "-i", "9")[0] == 1
    lines = on("intel", "hl_smi", "-Q", "index,name,memory.total", "-f", "csv,noheader")[1].splitlines()
    assert lines == ["0, X1, 65536 MiB", "1, X1, 65536 MiB"]
    assert on("intel", "hl_smi", "-Q", "colour", "-f", "csv")[0] == 1


def test_hygon_and_amd_share_a_tool_with_labels_of_their_own(on):
    card = json.loads(on("hygon", "rocm_smi", "--json", called="hy-smi")[1])["card1"]
    assert card["DCU use (%)"] == "0"
    assert card[""] == ""
    assert "GPU use (%)" in json.loads(on("amd", "rocm_smi", "--json", called="rocm-smi")[1])["card0"]


def test_hccn_keeps_what_it_is_told(on, tmp_path, monkeypatch):
    tool = importlib.import_module("rackwright.twin.guest.vendors.hccn_tool")
    monkeypatch.setattr(tool, "CONFIGURATION", str(tmp_path / "hccn.conf"))
    assert on("huawei", "hccn_tool", "-i", "1", "-ip", "-g")[0] == 1
    assert on("huawei", "hccn_tool", "-i", "1", "-ip", "-s", "address", "10.0.0.9", "netmask", "255.255.255.0")[0] == 0
    assert on("huawei", "hccn_tool", "-i", "1", "-ip", "-g")[1] == "ipaddr:10.0.0.9\nnetmask:255.255.255.0\n"
    assert "address_1=10.0.0.9" in (tmp_path / "hccn.conf").read_text()


def test_hccn_shows_what_a_person_asks_of_a_port(on):
    assert on("huawei", "hccn_tool", "-i", "0", "-net_health", "-g") == (0, "net health status: Init\n")
    assert on("huawei", "hccn_tool", "-i", "0", "-fec", "-g") == (0, "fec mode: rs FEC mode\n")
    assert on("huawei", "hccn_tool", "-i", "0", "-lldp", "-g") == (0, "End of LLDPDU TLV\n")
    assert on("huawei", "hccn_tool", "-i", "0", "-colour", "-g")[0] == 1


def test_versions_are_written_as_the_vendor_writes_them():
    software = Software(apt_mirror="http://m/apt", amdgpu="30.20.1", rocm="7.1.1", vendor_driver="5.7.1-6.2.26-V1.5")
    offered = definition.versions(software)
    assert offered["amdgpu-dkms"] == ["1:6.16.6.30200100-2327507.22.04"]
    assert offered["rccl"] == ["7.1.1.70101-38~22.04"]
    assert "nvidia-open" not in offered, "a bill without a driver asks for none"
    names = {archive.name: archive for archive in definition.run_files(software)}
    assert names["rock-5.7.1-6.2.26-V1.5.aio.run"].upstream == "6.2.26"


def test_a_vendor_file_is_the_same_every_time_and_unpacks_itself(tmp_path):
    software = Software(apt_mirror="http://m/apt", ascend_firmware="7.7.0.10.220")
    file = next(archive for archive in definition.run_files(software) if archive.name.startswith("Ascend"))
    first, second = (run_file.content_of(file, tmp_path, Path(tmp_path) / name) for name in ("a", "b"))
    assert first == second
    path = tmp_path / "firmware.run"
    path.write_bytes(first)
    done = subprocess.run(["sh", str(path), "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "[Firmware] [INFO]: Check passed")
    wrong = subprocess.run(["sh", str(path), "--wrong"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 1
    assert "Unsupported parameters: --wrong" in wrong.stdout
