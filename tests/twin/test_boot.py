"""Kernel, boot loader, modules and packages of real nodes, healthy and with the faults of onboarding."""

import shlex
import sys
import time
from pathlib import Path

import pytest

from rackwright.twin.hosts.runner import RESTART_SECONDS
from tests.patience import PATIENCE, until

pytestmark = pytest.mark.twin

SOURCE = (
    "mkdir -p /etc/apt/keyrings; curl -sf http://10.64.0.2:8080/apt/rackwright-mirror.asc > /etc/apt/keyrings/r.asc; "
    "echo 'deb [signed-by=/etc/apt/keyrings/r.asc] http://10.64.0.2:8080/apt stable main' > /etc/apt/sources.list.d/r.list; "
    "export DEBIAN_FRONTEND=noninteractive; apt-get update -qq 2>&1"
)
APT = "apt-get install -y -qq --no-install-recommends"
DRIVER = f"{APT} linux-headers-$(uname -r) nvidia-kernel-open-dkms=580.173.02-1 2>&1"
FAULTS = (
    "dkms-build-failed", "kernel-older-running", "secure-boot-without-key", "disk-full", "package-half-configured",
    "package-held-back", "nouveau-loaded", "restart-hangs", "mirror-truncated", "mirror-key-expired",
)  # fmt: skip
CONNECT_SECONDS = 30
"""For a node that is restarting; the answer of a busy one may take seconds."""
RESTARTED = 2 * RESTART_SECONDS
"""Any other node has come back by then."""


class Node:
    """One node of a running twin."""

    def __init__(self, twin, name: str) -> None:
        self.twin, self.name = twin, name

    def run(self, command: str) -> tuple[int, str]:
        return self.twin.run(f"ssh -o ConnectTimeout={CONNECT_SECONDS} {self.name} {shlex.quote(command)}")

    def say(self, command: str) -> str:
        return self.twin.say(f"ssh {self.name} {shlex.quote(command)}")

    def restart(self, command: str = "systemctl reboot") -> None:
        before = self.say("cat /proc/sys/kernel/random/boot_id")
        self.run(command)
        until(lambda: self._booted_since(before), f"{self.name} does not come back")

    def _booted_since(self, before: str) -> bool:
        code, now = self.run("cat /proc/sys/kernel/random/boot_id")
        return code == 0 and now != before


@pytest.fixture(scope="module")
def nodes(open_twin) -> list[Node]:
    """One with each fault, and behind them one without."""
    names = [f"train-{number:03d}" for number in range(1, len(FAULTS) + 2)]
    twin = open_twin("--nodes", ",".join(names), *(word for fault in FAULTS for word in ("--fault", fault)))
    return [Node(twin, name) for name in names]


@pytest.fixture(scope="module")
def node(nodes: list[Node]) -> Node:
    nodes[-1].say(SOURCE)
    return nodes[-1]


def test_a_node_has_its_own_kernel_and_hardware(node: Node) -> None:
    release = node.say("uname -r")
    assert release.endswith("-amd64")
    assert node.say("python3 -c 'import os; print(os.uname().release)'") == release
    assert release in node.say("cat /proc/version")
    assert node.say("cat /proc/cmdline").startswith(f"BOOT_IMAGE=/boot/vmlinuz-{release} root=UUID=")
    functions = node.say("lspci -D -n").splitlines()
    assert sum(" 0302: 10de:2330" in line for line in functions) == 8
    assert sum(" 0680: 10de:22a3" in line for line in functions) == 4
    assert sum(" 0207: 15b3:1021" in line for line in functions) == 10
    assert "mlx5_core" in node.say("lsmod")
    assert node.say("dpkg-query -W -f '${Status}' linux-image-amd64") == "install ok installed"
    assert node.run("dpkg-query -W linux-headers-$(uname -r)")[0] != 0


def test_access_control_services_are_written_and_come_back_at_boot(node: Node) -> None:
    show = "lspci -vvv -s 1a:00.0 | grep ACSCtl"
    assert "SrcValid+" in node.say(show)
    node.say("setpci -s 1a:00.0 ECAP_ACS+0x6.w=0000")
    assert "+" not in node.say(show)


def test_a_driver_is_built_where_headers_are(node: Node) -> None:
    output = node.say(f"{APT} nvidia-kernel-open-dkms=580.173.02-1 2>&1")
    assert "was skipped since the kernel headers for this kernel do not seem to be installed" in output
    assert node.say("dkms status") == "nvidia/580.173.02: added"
    assert "not found in directory /lib/modules/" in node.run("modprobe nvidia")[1]
    code, output = node.run("dkms build nvidia/580.173.02")
    assert code == 1  # dkms 3.0 of Debian 12
    assert "Error! Your kernel headers for kernel" in output
    node.say(f"{APT} linux-headers-$(uname -r)")
    assert node.say("dkms status") == f"nvidia/580.173.02, {node.say('uname -r')}, x86_64: installed"
    assert node.say("modinfo -F license nvidia") == "Dual MIT/GPL"
    assert node.say("modinfo -F signer nvidia") == "DKMS module signing key"


def test_loaded_modules_are_the_node_s_own_state(node: Node) -> None:
    node.say("modprobe nvidia-drm; modprobe nvidia NVreg_RestrictProfilingToAdminUsers=0")
    assert "nvidia_modeset" in node.say("lsmod | grep '^nvidia '")
    assert node.say("cat /sys/module/nvidia/version") == "580.173.02"
    assert "580.173.02" in node.say("cat /proc/driver/nvidia/version")
    assert "in use" in node.run("rmmod nvidia")[1]
    node.say("modprobe -r nvidia-drm; rmmod nvidia")
    assert node.run("test -e /sys/module/nvidia")[0] == 1


def test_a_changed_command_line_and_kernel_need_a_reboot(node: Node) -> None:
    newest = node.say("uname -r")
    node.say("echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX iommu=pt\"' > /etc/default/grub.d/50-test.cfg")
    node.restart()
    assert "iommu=pt" not in node.say("cat /proc/cmdline")  # nobody ran update-grub
    node.say("update-grub 2>&1; touch /run/lost")
    assert "iommu=pt" not in node.say("cat /proc/cmdline")
    node.restart("shutdown -r now")
    assert "iommu=pt" in node.say("cat /proc/cmdline")
    assert node.run("test -e /run/lost")[0] == 1
    assert "SrcValid+" in node.say("lspci -vvv -s 1a:00.0 | grep ACSCtl")
    assert "nvidia" in node.say("lsmod")  # the bus asked for it
    older = (
        node.say("apt-cache search -n '^linux-image-6' | sort -V | head -n 1").split()[0].removeprefix("linux-image-")
    )
    assert older != newest
    title = f"Advanced options for Debian GNU/Linux>Debian GNU/Linux, with Linux {older}"
    node.say(
        f"{APT} linux-image-{older}; echo 'GRUB_DEFAULT=\"{title}\"' > /etc/default/grub.d/90-test.cfg; update-grub 2>&1"
    )
    assert node.say("cat /run/reboot-required.pkgs") == f"linux-image-{older}"
    node.restart()
    assert node.say("uname -r") == older
    assert node.run("modprobe nvidia")[0] != 0  # built for the other kernel alone
    node.say("rm /etc/default/grub.d/90-test.cfg; update-grub 2>&1")


def test_the_reboot_module_of_ansible(node: Node, tmp_path: Path) -> None:
    book = tmp_path / "book.yml"
    book.write_text(
        "- hosts: all\n  gather_facts: false\n  tasks:\n    - ansible.builtin.reboot: "
        f"{{reboot_timeout: {PATIENCE:.0f}, connect_timeout: {CONNECT_SECONDS}}}\n"
    )
    words = [str(Path(sys.executable).with_name("ansible-playbook")), "-i", f"{node.name},", str(book)]
    before = node.say("cat /proc/sys/kernel/random/boot_id")
    output = node.twin.say(f"ANSIBLE_PYTHON_INTERPRETER=/usr/bin/python3 {shlex.join(words)}")
    assert "changed=1" in output
    assert node.say("cat /proc/sys/kernel/random/boot_id") != before


@pytest.fixture(scope="module")
def faulty(nodes: list[Node]) -> dict[str, Node]:
    return dict(zip(FAULTS, nodes, strict=False))


def test_a_failed_build_leaves_the_package_half_configured(faulty) -> None:
    node = faulty["dkms-build-failed"]
    code, output = node.run(f"{SOURCE}; {DRIVER}")
    assert code
    assert "Bad return status for module build on kernel" in output
    assert node.say("dpkg-query -W -f '${db:Status-Abbrev}' nvidia-kernel-open-dkms").strip() == "iF"
    assert "fatal error" in node.say("cat /var/lib/dkms/nvidia/580.173.02/build/make.log")


def test_an_older_kernel_keeps_running(faulty) -> None:
    node = faulty["kernel-older-running"]
    node.restart()
    installed = node.say("dpkg-query -W -f '${Package}\\n' 'linux-image-6*' | sort -V").splitlines()
    assert len(installed) == 2
    assert installed[0] == f"linux-image-{node.say('uname -r')}"


def test_only_an_enrolled_key_loads_a_module(faulty) -> None:
    node = faulty["secure-boot-without-key"]
    node.say(f"{SOURCE}; {DRIVER}")
    assert node.say("mokutil --sb-state") == "SecureBoot enabled"
    assert "Key was rejected by service" in node.run("modprobe nvidia")[1]
    node.say("modprobe ib_umad")  # signed by the distribution
    node.say("mokutil --import /var/lib/dkms/mok.pub --root-pw")
    assert "Key was rejected" in node.run("modprobe nvidia")[1]
    console = "import sys; sys.path.insert(0, '/usr/lib/rackwright-twin'); from guest import mokutil; mokutil.confirm()"
    node.say(f"python3 -IS -c {shlex.quote(console)}")
    assert "Key was rejected" in node.run("modprobe nvidia")[1]  # the kernel reads the keys when it starts
    node.restart()
    node.say("modprobe nvidia")
    assert "DKMS module signing key" in node.say("mokutil --list-enrolled")


def test_a_full_disk_is_said(faulty) -> None:
    node = faulty["disk-full"]
    code, output = node.run(f"{SOURCE}; {DRIVER}")
    assert code
    assert "No space left on device" in output or "enough free space" in output


def test_states_of_packages(faulty) -> None:
    half = faulty["package-half-configured"]
    assert "initramfs-tools" in half.say("dpkg --audit")
    half.say("dpkg --configure -a")
    assert half.say("dpkg --audit") == ""
    on_hold = faulty["package-held-back"]
    on_hold.say(SOURCE)
    assert on_hold.say("apt-mark showhold") == "linux-image-amd64"
    assert "kept back" in on_hold.say("apt-get upgrade -s")


def test_nouveau_has_the_device_until_it_is_blacklisted_in_the_initial_ram_disk(faulty) -> None:
    node = faulty["nouveau-loaded"]
    node.say(f"{SOURCE}; {DRIVER}")
    assert "nouveau" in node.say("lsmod")
    assert "No such device" in node.run("modprobe nvidia")[1]
    node.say("printf 'blacklist nouveau\\n' > /etc/modprobe.d/nouveau.conf")
    node.restart()
    assert "nouveau" in node.say("lsmod")  # the initial ram disk knows nothing of the file
    node.say("update-initramfs -u")
    node.restart()
    assert "nouveau" not in node.say("lsmod")
    assert "nvidia" in node.say("lsmod")


def test_a_node_that_does_not_come_back_needs_its_power_switched(faulty) -> None:
    node = faulty["restart-hangs"]
    node.run("reboot")
    until(lambda: node.run("true")[0] == 255, "the node does not go down")
    time.sleep(RESTARTED)
    assert node.run("true")[0] == 255
    redfish = 'curl -sf --cacert "$RACKWRIGHT_BMC_CA" -u "$RACKWRIGHT_BMC_USER:$RACKWRIGHT_BMC_PASSWORD"'
    number = 32 + FAULTS.index("restart-hangs")
    host = f"https://10.64.4.{number}/redfish/v1/Systems/DGX"
    assert '"PowerState": "On"' in node.twin.say(f"{redfish} {host}")
    post = "-X POST -H 'Content-Type: application/json'"
    node.twin.say(f'{redfish} {post} {host}/Actions/ComputerSystem.Reset -d \'{{"ResetType": "ForceRestart"}}\'')
    assert node.say("hostname") == node.name


def test_a_broken_mirror_is_said_by_apt(faulty) -> None:
    assert "EXPKEYSIG" in faulty["mirror-key-expired"].run(SOURCE)[1]
    code, output = faulty["mirror-truncated"].run(f"{SOURCE}; {DRIVER}")
    assert code
    assert "Unable to fetch some archives" in output
