"""getenforce, setenforce and sestatus of a twin node with EL 9, and the files of selinuxfs that they read: the kernel below enforces nothing.

Words and output: selinux(8), getenforce(8), setenforce(8), sestatus(8) of libselinux and policycoreutils 3.6 (SELinuxProject/selinux,
libselinux/utils, policycoreutils/sestatus/sestatus.c); policy of selinux-policy-targeted 38.1 of EL 9.
"""

from __future__ import annotations

import os
import sys

from . import kernel

FOLDER = "sys/fs/selinux"
CONFIG = "etc/selinux/config"
POLICY = {"mls": "1", "deny_unknown": "0", "reject_unknown": "0", "checkreqprot": "0", "policyvers": "33"}
"""Of the targeted policy of EL 9: MLS, unknown permissions allowed, memory protection actual, highest version of a policy."""
MODES = {"1": "enforcing", "0": "permissive"}


def mount(private: str, command_line: str) -> None:
    """selinuxfs of a starting host whose command line and configuration leave SELinux on; paths are relative to its root."""
    words = command_line.split()
    mode = _settings(CONFIG).get("SELINUX", "disabled")
    if "selinux=0" in words or mode == "disabled":
        return
    enforcing = mode == "enforcing" and "enforcing=0" not in words
    os.makedirs(f"{private}/selinux")
    if os.path.isdir("sys/fs/cgroup"):
        os.makedirs(f"{private}/cgroup")
        kernel.mount("sys/fs/cgroup", f"{private}/cgroup", "", kernel.BIND | kernel.RECURSIVE)
    for name, text in {**POLICY, "enforce": "1" if enforcing else "0"}.items():
        with open(f"{private}/selinux/{name}", "w", encoding="ascii") as file:
            file.write(text)
    kernel.mount(private, "sys/fs", "", kernel.BIND | kernel.RECURSIVE)


def getenforce() -> int:
    """Entry point."""
    print(_mode().capitalize())
    return 0


def setenforce() -> int:
    """Entry point."""
    values = {"1": "1", "enforcing": "1", "0": "0", "permissive": "0"}
    words = [values.get(word.lower()) for word in sys.argv[1:]]
    if len(words) != 1 or words[0] is None:
        print("usage:  setenforce [ Enforcing | Permissive | 1 | 0 ]", file=sys.stderr)
        return 1
    if _mode() == "disabled":
        print("setenforce: SELinux is disabled", file=sys.stderr)
        return 1
    with open(f"/{FOLDER}/enforce", "w", encoding="ascii") as file:
        file.write(words[0])
    return 0


def sestatus() -> int:
    """Entry point."""
    if _mode() == "disabled":
        _row("SELinux status", "disabled")
        return 0
    settings = _settings(f"/{CONFIG}")
    rows = {
        "SELinux status": "enabled",
        "SELinuxfs mount": f"/{FOLDER}",
        "SELinux root directory": "/etc/selinux",
        "Loaded policy name": settings.get("SELINUXTYPE", "targeted"),
        "Current mode": _mode(),
        "Mode from config file": settings.get("SELINUX", "error (Success)"),
        "Policy MLS status": "enabled" if _value("mls") == "1" else "disabled",
        "Policy deny_unknown status": "denied" if _value("deny_unknown") == "1" else "allowed",
        "Memory protection checking": "requested (insecure)" if _value("checkreqprot") == "1" else "actual (secure)",
        "Max kernel policy version": _value("policyvers"),
    }
    for name, text in rows.items():
        _row(name, text)
    return 0


def _row(name: str, text: str) -> None:
    print(f"{name + ':':<32}{text}")


def _mode() -> str:
    return MODES.get(_value("enforce"), "disabled")


def _value(name: str) -> str:
    try:
        with open(f"/{FOLDER}/{name}", encoding="ascii") as file:
            return file.read().strip()
    except FileNotFoundError:
        return ""


def _settings(path: str) -> dict[str, str]:
    """Keys and values of /etc/selinux/config (selinux_config(5))."""
    try:
        with open(path, encoding="utf-8") as file:
            pairs = [line.strip().partition("=")[::2] for line in file if "=" in line and not line.startswith("#")]
    except FileNotFoundError:
        return {}
    return {key.strip(): value.strip().lower() for key, value in pairs}
