"""Nodes of eight vendors, from a fresh installation to an upgrade, through `rackwright onboard` with its one reboot."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shell import Shell

pytestmark = pytest.mark.twin
SITE = Path(__file__).parent / "sites" / "vendors.yaml"
NODES = ["amd-001", "ascend-001", "gaudi-001", "biren-001", "mthreads-001", "mlu-001", "dcu-001", "metax-001"]
ROLES = "base,kernel,boot_cmdline,limits_sysctl,amd_driver,ascend_driver,accelerator_vendor"
LOG = "/var/log/ascend_seclog/ascend_install.log"
NEXT = {"25.2.3": "25.5.0", "7.7.0.10.220": "7.8.0.5.201"}
ASCEND = {"ascend_driver": "25.2.3", "ascend_firmware": "7.7.0.10.220"}
BOOT = "cat /proc/sys/kernel/random/boot_id"
PROCESSES = "/run/rackwright-twin/accelerator-processes"


class Lab:
    """A twin with one node of every vendor."""

    def __init__(self, work: Path) -> None:
        self.work = work
        self.shell = Shell(SITE, work, "--nodes", ",".join(NODES))

    def onboard(self, *options: str, site: Path = SITE, nodes: str = ",".join(NODES)) -> tuple[int, str]:
        words = ["onboard", str(site), "--nodes", nodes, "--work", str(self.work), "--roles", ROLES]
        command = [sys.executable, "-m", "rackwright", *words, "--drain-hook", "true", "--retries", "0", *options]
        return self.shell.run(shlex.join(command))

    def on(self, node: str, command: str) -> str:
        return self.shell.say(f"ssh {node} {shlex.quote(command)}")

    def site(self, **changes: str) -> Path:
        """The site file with other words in it."""
        text = SITE.read_text(encoding="utf-8")
        for before, after in changes.items():
            assert before in text
            text = text.replace(before, after)
        path = self.work / "changed.yaml"
        path.write_text(text, encoding="utf-8")
        return path


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    lab = Lab(tmp_path_factory.mktemp("vendors"))
    yield lab
    lab.shell.end()


@pytest.fixture(scope="module")
def lab(fresh: Lab) -> Lab:
    """Checked, then onboarded with one reboot each."""
    _, output = fresh.onboard("--check", nodes="ascend-001,biren-001")
    assert fresh.on("ascend-001", "ls /usr/local/Ascend 2>/dev/null || echo none") == "none", output
    assert fresh.on("biren-001", "ls /var/lib/rackwright/vendor 2>/dev/null || echo none") == "none", output
    code, output = fresh.onboard("--reboot")
    assert code == 0, output
    assert "8 of 8 hosts are as declared" in output
    return fresh


def test_a_second_run_changes_nothing_and_needs_no_reboot(lab):
    code, output = lab.onboard()
    assert code == 0, output
    assert "0 of them changed" in output


@pytest.mark.parametrize(
    ("node", "command", "expected"),
    [
        ("amd-001", "amd-smi list | grep -c ^GPU:", "8"),
        ("amd-001", "cat /sys/module/amdgpu/version", "6.16.6"),
        ("amd-001", "apt-mark showhold | grep -c -e amdgpu -e rocm -e rccl", "7"),
        ("amd-001", "sysctl -n vm.max_map_count", "1048576"),
        ("amd-001", "id -nG acceptance | tr ' ' '\\n' | grep -c -e '^render$' -e '^video$'", "2"),
        ("amd-001", "amd-ctk cdi list | tail -n 1", "amd.com/gpu=all"),
        ("ascend-001", f"sed 's/.*operation //' {LOG}", "--full 25.2.3 success\n--full 7.7.0.10.220 success"),
        ("ascend-001", "npu-smi info | grep -c '| OK '", "8"),
        ("ascend-001", "hccn_tool -i 7 -ip -g", "ipaddr:10.96.3.144\nnetmask:255.255.255.128"),
        ("ascend-001", "hccn_tool -i 7 -gateway -g", "default gateway:10.96.3.129, Iface:eth7"),
        ("gaudi-001", "hl-smi -Q driver_version -f csv,noheader | sort -u", "1.22.1"),
        ("gaudi-001", "grep -c ^habanalabs /proc/modules", "4"),
        ("biren-001", "brsmi gpu --query-gpu=index,name --format=csv,noheader | wc -l", "8"),
        ("mthreads-001", "mthreads-gmi | grep -c 'MTT S4000'", "8"),
        ("mlu-001", "cnmon info | grep -c 'Device .*: Good'", "8"),
        ("dcu-001", "cat /sys/module/hydcu/version", "6.2.26"),
        ("metax-001", "cat /sys/module/metax/version", "3.10.14"),
        ("metax-001", "/opt/mxdriver/bin/mx-smi | grep -c 'Available  '", "8"),
    ],
)
def test_every_vendor_answers_as_its_role_promised(lab, node, command, expected):
    assert lab.on(node, command) == expected


def test_a_tool_says_that_it_has_no_devices_when_the_driver_is_not_loaded(lab):
    lab.on("mlu-001", "modprobe -r cambricon-drv")
    code, output = lab.shell.run("ssh mlu-001 cnmon")
    assert code == 1
    assert "no MLU device" in output
    code, output = lab.onboard("--verify", nodes="mlu-001")
    assert code != 0
    assert "accelerator_vendor: " in output
    code, output = lab.onboard(nodes="mlu-001")
    assert code == 0, output


@pytest.fixture(scope="module")
def stopped(lab) -> tuple[Path, str]:
    """A site with a change on each of three nodes, and what the operator reads: something on each of them is in the way."""
    amd, dcu = (
        "amd: {amdgpu: 30.20.1, rocm: 7.1.1, amd_container_toolkit: 1.2.0",
        "dcu: {vendor_driver: 5.7.1-6.2.26-V1.5",
    )
    file = "rock-5.7.1-6.2.26-V1.5.aio.run"
    changes = {
        amd: f"{amd}, options: {{amd_driver_partition: CPX, amd_driver_memory_partition: NPS4}}",
        dcu: f"{dcu}, options: {{accelerator_vendor_sha256: {{{file}: {'f' * 64}}}}}",
        **{f"{part}: {version}": f"{part}: {NEXT[version]}" for part, version in ASCEND.items()},
    }
    lab.on("amd-001", f"echo 3 4242 python > {PROCESSES}")
    lab.on("ascend-001", "touch /run/rackwright-twin/dkms-fails")
    lab.on("dcu-001", "rm -r /var/lib/rackwright/vendor /opt/rackwright/downloads")
    site = lab.site(**changes)
    code, output = lab.onboard(site=site, nodes="amd-001,ascend-001,dcu-001")
    assert code != 0
    return site, output


@pytest.mark.parametrize(
    "words",
    [
        "programs run on GPUs [3]: nothing was changed",
        "Bad return status for module build",
        "expected sha256:ffff",
    ],
)
def test_what_is_in_the_way_of_a_change_is_said(stopped, words):
    assert words in stopped[1]


def test_a_file_that_is_not_the_one_in_the_list_does_not_stay(lab, stopped):
    assert lab.on("dcu-001", "ls /opt/rackwright/downloads | wc -l") == "0"


def test_partition_modes_need_no_reboot_and_an_upgrade_is_firmware_first_and_goes_on_where_it_was_interrupted(
    lab, stopped
):
    site, nodes = stopped[0], ("amd-001", "ascend-001")
    lab.on("amd-001", f"rm {PROCESSES}")
    lab.on("ascend-001", "rm /run/rackwright-twin/dkms-fails")
    boots = [lab.on(node, BOOT) for node in nodes]
    code, output = lab.onboard("--reboot", site=site, nodes=",".join(nodes))
    assert code == 0, output
    assert [lab.on(node, BOOT) == boot for node, boot in zip(nodes, boots, strict=True)] == [True, False]
    assert '"CPX"' in lab.on("amd-001", "amd-smi partition --current --json")
    assert lab.on("ascend-001", f"sed 's/.*operation //' {LOG} | tail -n +3") == (
        "--upgrade 7.8.0.5.201 success\n--full 25.5.0 success"
    )
    assert "25.5.0" in lab.on("ascend-001", "npu-smi info -t board -i 0 | grep Software")
    code, output = lab.onboard(site=site, nodes=",".join(nodes))
    assert "0 of them changed" in output


def test_an_account_number_that_somebody_has_is_refused(lab):
    lab.on("ascend-001", "groupadd --gid 61007 somebody")
    code, output = lab.onboard(site=lab.site(**{"ascend_driver_mindx_uid: 61001": "ascend_driver_mindx_uid: 61007"}), nodes="ascend-001")  # fmt: skip
    assert code != 0
    assert "hwMindX is to have the number 61007" in output
    assert "somebody" in output
