"""A server of a control plane on this machine: its own files over those of the machine, its own network, its own processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.kubernetes import server_role

ROOT = Path(__file__).resolve().parents[2]
ROLES = ROOT / "roles"
START = """\
set -e
folder=$1
ip link set lo up
mount -t tmpfs tmpfs "$folder/disk"
mkdir "$folder/disk/upper" "$folder/disk/work" "$folder/disk/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$folder/disk/upper,workdir=$folder/disk/work" "$folder/disk/root"
root=$folder/disk/root
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --rbind /sys "$root/sys"
mount -t tmpfs tmpfs "$root/run"
mount --bind "$2" "$root$2"
hostname "$3"
sysctl -q -w net.ipv4.ip_forward=1
rm -rf "$root/etc/kubernetes" "$root/var/lib/etcd" "$root/var/lib/kubelet"
exec chroot "$root" sleep infinity
"""
KUBEADM = """\
#!/bin/sh
# The package of kubeadm that is installed. It would refuse a machine that is no host for containers.
case "$1 $2" in
"init --config" | "join --config" | "upgrade apply" | "upgrade node") set -- "$@" --ignore-preflight-errors={ignored} ;;
esac
exec {programs}/kubeadm-$(cut -d. -f1,2 {release}) "$@"
"""
IGNORED = "SystemVerification,FileExisting-conntrack,FileExisting-crictl,Swap"
CRICTL = """\
#!/bin/sh
case $1 in
ps) name=${6#^}; cat "/run/containers/${name%$}" 2>/dev/null ;;
stop) kill "$4"; while kill -0 "$4" 2>/dev/null; do sleep 0.2; done ;;
esac
"""
PLAY = """\
import runpy, sys
import ansible.module_utils, ansible.module_utils.basic as basic
ansible.module_utils.__path__.append(sys.argv[2])
basic._ANSIBLE_ARGS, basic._ANSIBLE_PROFILE = sys.stdin.buffer.read(), "legacy"
runpy.run_path(sys.argv[1], run_name="__main__")
"""


class Server:
    """One server; `folder` is shared by all, has the programs of both releases, and is the same path inside."""

    kubectl = ("kubectl", "--kubeconfig=/etc/kubernetes/admin.conf")

    def __init__(self, folder: Path, name: str, address: str, endpoint: str) -> None:
        self.name, self.address, self.endpoint = name, address, endpoint
        self._all, self.folder, self._programs = folder, folder / name, folder / "programs"
        self._release, self._process = self.folder / "release", 0
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self, hub: int) -> None:
        """Boot, on the network whose bridge is in the namespace of process `hub`."""
        (self.folder / "disk").mkdir(parents=True)
        words = [
            "unshare",
            "--mount",
            "--uts",
            "--net",
            "--pid",
            "--fork",
            "--kill-child",
            "bash",
            "-c",
            START,
            "start",
        ]
        with (self.folder / "start.log").open("wb") as log:
            words += [str(self.folder), str(self._all), self.name]
            self._running.append(subprocess.Popen(words, stdout=log, stderr=log, stdin=subprocess.DEVNULL))
        self._process = self._first_child(self._running[0].pid)
        wire = f"w{self.name[-1]}"
        for command in (
            f"nsenter --target {hub} --net ip link add {wire} type veth peer name eth0 netns {self._process}",
            f"nsenter --target {hub} --net ip link set {wire} master hub up",
            f"nsenter --target {self._process} --net ip address add {self.address}/24 dev eth0",
            f"nsenter --target {self._process} --net ip link set eth0 up",
            f"nsenter --target {self._process} --net ip route add default via 10.0.1.254",
        ):
            subprocess.run(command.split(), check=True)
        self._install()

    def _first_child(self, parent: int) -> int:
        """The process that all others are in the namespaces of, once it stands in its own root."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for child in Path(f"/proc/{parent}/task/{parent}/children").read_text().split():
                if Path(f"/proc/{child}/comm").read_text().strip() == "sleep":
                    return int(child)
            time.sleep(0.1)
        raise SystemExit((self.folder / "start.log").read_text())

    def _install(self) -> None:
        """Programs in front of those of the machine."""
        texts = {
            "kubeadm": KUBEADM.format(ignored=IGNORED, programs=self._programs, release=self._release),
            "crictl": CRICTL,
            "systemctl": "#!/bin/sh\ncase $1 in is-enabled | is-active) echo enabled ;; esac\n",
            "kubelet": f'#!/bin/sh\necho "Kubernetes v$(cat {self.folder}/kubelet)"\n',
        }
        for name, text in texts.items():
            path = self.folder / "bin" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)

    def take(self, release: str, **options: Any) -> None:
        """Install the packages of a release, but the kubelet, and write the files of the role for it."""
        self._release.write_text(release)
        requested = {"kubernetes_control_plane_version": release, "kubernetes_control_plane_name": self.name}
        for path, text in server_role.files(
            **requested, kubernetes_control_plane_address=self.address, **options
        ).items():
            if path.startswith("/etc/kubernetes/"):
                self.write(path, text)

    def take_kubelet(self, release: str) -> None:
        """The kubelet follows its API server."""
        (self.folder / "kubelet").write_text(release)
        if len(self._running) > 1:
            return
        with (self.folder / "kubelet.log").open("ab") as log:
            words = [sys.executable, "-m", "tests.upgrade.kubelet", self.name, str(self._programs), str(self.folder / "kubelet")]  # fmt: skip
            self._running.append(
                subprocess.Popen(self._inside(words), stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=self._environment())
            )  # fmt: skip

    def write(self, path: str, text: str) -> None:
        """A file of the server."""
        command = 'mkdir -p "$(dirname "$1")"; umask 077; cat > "$1"'
        subprocess.run(self._inside(["sh", "-c", command, "sh", path]), input=text.encode(), check=True)

    def run(self, *words: str, feed: str = "") -> str:
        """What a command of the server printed; it must end well."""
        done = self.call(*words, feed=feed)
        assert done.returncode == 0, f"{' '.join(words)} on {self.name}: {done.stdout}{done.stderr}"
        return done.stdout

    def call(self, *words: str, feed: str = "") -> subprocess.CompletedProcess[str]:
        """A command of the server, however it ends."""
        return subprocess.run(
            self._inside(words), input=feed, capture_output=True, text=True, env=self._environment(), check=False
        )

    def release(self) -> str:
        """What its API server answers, without a v."""
        answer = self.run(*self.kubectl, f"--server=https://{self.address}:6443", "get", "--raw=/version")
        return str(json.loads(answer)["gitVersion"]).removeprefix("v")

    def etcd_release(self) -> str:
        """What its member of etcd answers."""
        pki = "/etc/kubernetes/pki/etcd"
        words = ("--cacert", f"{pki}/ca.crt", "--cert", f"{pki}/server.crt", "--key", f"{pki}/server.key")
        answer = self.run("curl", "--silent", *words, f"https://{self.address}:2379/version")
        return str(json.loads(answer)["etcdserver"])

    def act(self, act: str, /, *, may_fail: bool = False, **params: Any) -> dict[str, Any]:
        """One act of the real module of the role, as Ansible would run it here."""
        sent = {"ANSIBLE_MODULE_ARGS": {"act": act, "_ansible_version": "2.19", **params}}
        module, shared = ROLES / "library" / "kubernetes_server.py", ROLES / "module_utils"
        done = self.call(sys.executable, "-c", PLAY, str(module), str(shared), feed=json.dumps(sent))
        start = done.stdout.find("{")
        assert start >= 0, done.stdout + done.stderr
        answer: dict[str, Any] = json.loads(done.stdout[start:])
        assert may_fail or not answer.get("failed"), answer["msg"]
        return answer

    def end(self) -> None:
        """With all its processes."""
        for process in self._running:
            process.kill()
            process.wait()

    def _inside(self, words: Any) -> list[str]:
        return [
            "nsenter",
            f"--target={self._process}",
            "--mount",
            "--uts",
            "--net",
            "--pid",
            "--root",
            "env",
            "--chdir=/",
            *words,
        ]

    def _environment(self) -> dict[str, str]:
        return {**os.environ, "PATH": f"{self.folder / 'bin'}:{os.environ['PATH']}:/usr/sbin", "PYTHONPATH": str(ROOT)}
