"""Starts the one container of a pod: mounts of its own, the node's programs as image, its volumes, its variables."""

from __future__ import annotations

import base64
import os
import subprocess
from typing import IO, Any

PODS = "/var/lib/kubelet/pods"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
MOUNT = r"""
set -e
root=$1; shift
mount -t tmpfs tmpfs "$root"
mkdir "$root/usr" "$root/proc" "$root/dev" "$root/tmp"
mount --rbind /usr "$root/usr"
for name in bin sbin lib lib64; do ln -s "usr/$name" "$root/$name"; done
mount --rbind /proc "$root/proc"
if [ "$1" = all ]; then shift; mount --rbind /dev "$root/dev"; else
  for name in null zero full random urandom tty; do set -- "/dev/$name" "$@"; done
fi
while [ "$1" != -- ]; do
  mkdir -p "$root/${1%/*}"
  : > "$root/$1"
  mount --bind "$1" "$root/$1"
  shift
done
shift
read -r _ || :
while [ "$1" != -- ]; do
  mkdir -p "$root/$2"
  mount --rbind "$1" "$root/$2"
  shift 2
done
shift
exec chroot "$root" "$@" </dev/null
"""
"""Arguments: the root, ``all`` or the device files of the container, ``--``, pairs of what is mounted where, ``--``, the command. It waits for the end
of its input: until then the pod gets its network."""


def start(
    uid: str,
    pod: dict[str, Any],
    maps: dict[str, dict[str, Any]],
    node: str,
    devices: list[str],
    log: IO[bytes],
) -> subprocess.Popen[bytes]:
    """The container of `pod`; both its outputs go to `log`, and it runs when its input is closed. One with privileges sees all devices."""
    spec, folder = pod["spec"], f"{PODS}/{uid}"
    container = spec["containers"][0]
    root = f"{folder}/rootfs"
    os.makedirs(root)
    sources = {volume["name"]: _source(volume, folder, maps) for volume in spec.get("volumes") or []}
    mounts = [
        word
        for volume in container.get("volumeMounts") or []
        for word in (sources[volume["name"]], volume["mountPath"].lstrip("/"))
    ]
    command = [*(container.get("command") or []), *(container.get("args") or [])]
    privileged = bool((container.get("securityContext") or {}).get("privileged"))
    device_files = ["all"] if privileged else devices
    apart = ["--mount", *([] if spec.get("hostNetwork") else ["--net"])]
    return subprocess.Popen(
        ["unshare", *apart, "sh", "-c", MOUNT, "sh", root, *device_files, "--", *mounts, "--", *command],
        stdin=subprocess.PIPE,
        stdout=log,
        stderr=log,
        env=_variables(container, node),
        start_new_session=True,
    )


def _variables(container: dict[str, Any], node: str) -> dict[str, str]:
    variables = {"PATH": PATH}
    for entry in container.get("env") or []:
        field = ((entry.get("valueFrom") or {}).get("fieldRef") or {}).get("fieldPath")
        variables[entry["name"]] = node if field == "spec.nodeName" else entry.get("value", "")
    return variables


def _source(volume: dict[str, Any], folder: str, maps: dict[str, dict[str, Any]]) -> str:
    """The folder of the node that a volume is."""
    if "hostPath" in volume:
        return str(volume["hostPath"]["path"])
    files = maps[volume["configMap"]["name"]]
    path = f"{folder}/volumes/{volume['name']}"
    os.makedirs(path)
    for name, text in (files.get("data") or {}).items():
        _write(f"{path}/{name}", text.encode())
    for name, text in (files.get("binaryData") or {}).items():
        _write(f"{path}/{name}", base64.b64decode(text))
    return path


def _write(path: str, content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)
