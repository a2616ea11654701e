"""What the role of control servers declares, for one server, below a folder that stands for its root."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import ansible.module_utils

from rackwright.onboard.role_engine import run_part

ROLES = Path(__file__).resolve().parents[2] / "roles"
ROLE = "kubernetes_control_plane"
NAME, ADDRESS, ENDPOINT = "kubernetes-001", "10.0.1.1", "10.0.1.10:6443"
ASKED = {
    "kubernetes_control_plane_version": "1.34.2",
    "kubernetes_control_plane_containerd": "2.1.5",
    "kubernetes_control_plane_endpoint": ENDPOINT,
    "kubernetes_control_plane_servers": [{"name": NAME, "address": ADDRESS}],
    "kubernetes_control_plane_pods": "10.244.0.0/16",
    "kubernetes_control_plane_services": "10.96.0.0/16",
    "kubernetes_control_plane_name": NAME,
    "kubernetes_control_plane_address": ADDRESS,
}
FACTS = {
    "os": "debian-12",
    "family": "debian",
    "version": "12",
    "container": True,
    "kubernetes_server": "",
    "addresses": {},
}
OF_HOST = ("/etc/kubernetes", "/var/lib/etcd", "/var/backups/etcd")
"""Folders that scripts of the role name, and that are elsewhere here."""


def files(**options: Any) -> dict[str, str]:
    """Path -> text of every file."""
    host = {"groups": {}, "group_names": [], "inventory_hostname": NAME, "rackwright_os": "debian-12"}
    sent = run_part("configure", [ROLE], {**host, **ASKED, **options}, FACTS)[1]
    return {entry["path"]: entry.get("text", "") for entry in sent["roles"][0]["files"]}


def script(path: str, root: Path, **options: Any) -> Path:
    """A script of the role, for the host whose files are below `root`."""
    text = files(**options)[path]
    for folder in OF_HOST:
        text = text.replace(folder, f"{root}{folder}")
    target = root / Path(path).name
    target.write_text(text)
    return target


@cache
def module(name: str = "kubernetes_server") -> ModuleType:
    """A module of the role: the one that founds and joins, unless another one is named."""
    shared = str(ROLES / "module_utils")
    if shared not in ansible.module_utils.__path__:
        ansible.module_utils.__path__.append(shared)
    spec = importlib.util.spec_from_file_location(f"role_module_{name}", ROLES / "library" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def program(folder: Path, name: str, text: str) -> None:
    """A program that stands for one that needs a container runtime."""
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
