import json
import subprocess
import sys

import pytest

PAIR = {"amd_driver_version": "30.20.1", "amd_driver_rocm": "7.1.1", "rackwright_os": "ubuntu-24.04"}


@pytest.fixture
def amd(declared):
    return lambda **more: declared("amd_driver", **{"os": "ubuntu-24.04", **PAIR, **more})


def early(role):
    return {entry["path"]: entry.get("text", "") for entry in role.part("install")["files"]}


def test_versions_are_pinned_as_amd_writes_them_into_packages(amd):
    packages = amd().packages
    assert packages["amdgpu-dkms"] == "*.302001*-*24.04"
    assert packages["amdgpu-dkms-firmware"] == "*.302001*-*24.04"
    assert packages["rccl"] == packages["rocm-*"] == "*.70101-*24.04"
    assert amd(amd_driver_version="6.4.3", amd_driver_rocm="6.4.3").packages["amdgpu-dkms"] == "*.60403*-*24.04"
    assert amd(os="rhel-9").packages["rccl"] == "*.70101-*"
    assert amd(os="debian-12").packages["rccl"] == "*.70101-*22.04"


def test_no_pattern_for_apt_ends_in_a_star_after_another_star(amd):
    """apt reads a pattern that ends in a star as a prefix, stars in it included, and finds nothing."""
    wrong = {name: package for name, package in amd().packages.items() if package.endswith("*") and "*" in package[:-1]}
    assert not wrong


@pytest.mark.parametrize("system", ["debian-12", "ubuntu-22.04", "ubuntu-24.04"])
def test_the_pins_match_what_the_vendor_publishes(amd, host_module, system):
    matches = host_module("rackwright_versions").matches
    release = "24.04" if system == "ubuntu-24.04" else "22.04"
    packages = amd(os=system).packages
    assert matches(f"1:6.16.6.30200100-2255209.{release}", packages["amdgpu-dkms"])
    assert matches(f"26.2.0.70101-38~{release}", packages["amd-smi-lib"])
    assert not matches(f"1:6.16.13.30300300-2327507.{release}", packages["amdgpu-dkms"])
    assert not matches(f"7.2.3.70203-90~{release}", packages["rocm-hip-runtime"])


def test_the_kernels_own_module_is_blacklisted_only_where_dkms_replaces_it(amd):
    name = "/etc/modprobe.d/90-rackwright-amdgpu.conf"
    assert "blacklist amdgpu\n" in early(amd())[name]
    inbox = amd(amd_driver_source="inbox")
    assert "blacklist" not in early(inbox)[name]
    assert "amdgpu-dkms" not in inbox.packages
    assert "Build the driver for the running kernel" not in inbox.commands
    assert amd().files["/etc/modules-load.d/90-rackwright-amdgpu.conf"].endswith("\namdgpu\n")


def test_module_options_are_data(amd):
    text = early(amd(amd_driver_module_options={"ip_block_mask": "0x7f"}))["/etc/modprobe.d/90-rackwright-amdgpu.conf"]
    assert "options amdgpu ip_block_mask=0x7f\n" in text


def test_the_vendors_repository_has_its_layout_pin_and_priority(amd):
    mine = {"amd_driver_repository": "http://m/radeon", "amd_driver_repository_key": "http://m/radeon/rocm.gpg.key"}
    sources = amd(**mine).part("install")["sources"]
    assert [(source["uri"], source["suites"]) for source in sources] == [
        ("http://m/radeon/rocm/apt/7.1.1", ["noble"]),
        ("http://m/radeon/amdgpu/30.20.1/ubuntu", ["noble"]),
    ]
    assert "Pin: origin m\nPin-Priority: 600\n" in early(amd(**mine))["/etc/apt/preferences.d/rocm-pin-600"]
    el = amd(os="rhel-9", **mine).part("install")["sources"]
    assert [(entry["name"], entry["uri"], entry["priority"]) for entry in el] == [
        ("rackwright-rocm", "http://m/radeon/rocm/el9/7.1.1/main", 50),
        ("rackwright-amdgpu", "http://m/radeon/amdgpu/30.20.1/el/9.6/main/x86_64", 50),
        ("rackwright-amdgraphics", "http://m/radeon/graphics/7.1.1/el/9.6/main/x86_64", 50),
    ]
    assert "sources" not in amd().part("install")


def test_dnf_takes_the_priority(host_module):
    entry = {"name": "rackwright-rocm", "uri": "http://m", "keyring": "/k", "priority": 50}
    assert "priority=50\n" in host_module("rackwright_dnf").source_text(entry)
    assert "priority" not in host_module("rackwright_dnf").source_text({**entry, "priority": None})


def test_docas_ucx_is_alone(amd):
    assert amd(amd_driver_doca="3.2.1").part("install")["remove"] == ["libucx0", "libucx-dev"]
    assert "remove" not in amd().part("install")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"amd_driver_version": "30"}, "must be a full version"),
        ({"amd_driver_rocm": "seven"}, "ROCm must be a full version"),
        ({"amd_driver_version": "6.4.3"}, "numbers of its own, 30.x"),
        ({"rackwright_os": "debian-12", "os": "debian-12"}, "Debian 12 is best effort"),
        ({"amd_driver_partition": "OPX"}, "no compute partition mode OPX"),
        ({"amd_driver_memory_partition": "NPS3"}, "no memory partition mode NPS3"),
        ({"amd_driver_memory_partition": "NPS4"}, "needs a compute partition mode"),
        ({"amd_driver_repository": "http://m"}, "comes with its key"),
    ],
)
def test_what_cannot_work_is_refused(amd, change, message):
    assert message in amd(**change).refused


def test_what_can_work_is_not(amd):
    assert amd().refused == ""
    assert amd(amd_driver_version="6.4.3", amd_driver_rocm="6.4.3").refused == ""
    assert amd(os="debian-12", rackwright_os="debian-12", amd_driver_best_effort=True).refused == ""
    assert amd(amd_driver_partition="CPX", amd_driver_memory_partition="NPS4").refused == ""


def loaded(version, built="6.16.6-2255209.24.04"):
    kernel = {"release": "6.8.0-1", "cmdline": "", "modules": {"amdgpu": version}, "headers": True}
    return {
        "kernel": kernel,
        "dkms": [{"module": "amdgpu", "version": built, "kernel": "6.8.0-1", "state": "installed"}],
    }


def test_a_reboot_is_asked_for_while_another_amdgpu_is_loaded(amd):
    assert amd(facts=loaded("6.16.6")).reboot == []
    assert "amdgpu of the kernel itself is loaded" in amd(facts=loaded("")).reboot[0]
    assert "driver 6.14.14 is loaded, 6.16.6 is installed" in amd(facts=loaded("6.14.14")).reboot[0]
    assert amd(facts=loaded(""), amd_driver_source="inbox").reboot == []


SMI = """#!{python}
import json, sys
from pathlib import Path
state = Path({state!r})
found = json.loads(state.read_text())
if sys.argv[1] == "partition":
    print(json.dumps({{"current_partition": [{{"gpu_id": 0, "memory": found["memory"], "accelerator_type": found["compute"]}}]}}))
elif sys.argv[1] == "process":
    print(json.dumps([{{"gpu": 0, "process_list": [{{"process_info": found["process"]}}]}}]))
else:
    found["memory" if "--memory-partition" in sys.argv else "compute"] = sys.argv[-1]
    state.write_text(json.dumps(found))
"""


@pytest.mark.parametrize("process", ["No running processes detected", {"name": "python", "pid": 7}])
def test_partitions_are_set_on_idle_gpus_alone(amd, tmp_path, process):
    name = "/usr/local/sbin/rackwright-amd-partition"
    script = tmp_path / "partition"
    script.write_text(amd(amd_driver_partition="CPX", amd_driver_memory_partition="NPS4").files[name])
    state, tool = tmp_path / "state", tmp_path / "amd-smi"
    state.write_text(json.dumps({"memory": "NPS1", "compute": "SPX", "process": process}))
    tool.write_text(SMI.format(python=sys.executable, state=str(state)))
    tool.chmod(0o755)

    def run(*words):
        command = [sys.executable, str(script), *words]
        return subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=False)

    assert run("--check").returncode == 1
    done, idle = run(), isinstance(process, str)
    now = json.loads(state.read_text())
    assert (now["compute"], now["memory"]) == (("CPX", "NPS4") if idle else ("SPX", "NPS1"))
    assert done.returncode == (0 if idle else 1)
    assert idle or "programs run on GPUs [0]: nothing was changed" in done.stderr
    assert run("--check").returncode == (0 if idle else 1)


def test_without_a_mode_nothing_partitions(amd):
    result = amd()
    assert "rackwright-amd-partition" not in result.units
    gone = [entry["path"] for entry in result.part("configure")["files"] if entry.get("absent")]
    assert "/etc/systemd/system/rackwright-amd-partition.service" in gone
