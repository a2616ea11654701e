"""Example sites with a section install, and the list of their machines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from rackwright import design as design_stage
from rackwright import spec
from rackwright.base import yaml_text
from rackwright.export import ExportRequest, export
from rackwright.install import machines_file
from rackwright.install.machines_file import DeclaredMachine
from rackwright.model.design import Design
from tests.build import EXAMPLE

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHUbJqqxZ8nRjYpzC7LbrOYhsJrYhQm7zUa3e9dNn3Vq ops@example"
SECTION: dict[str, Any] = {
    "machines": "machines.csv",
    "server": "http://10.64.0.2:8090",
    "repositories": {
        "debian-12": "http://10.64.0.2/debian",
        "ubuntu-22.04": "http://10.64.0.2/ubuntu",
        "ubuntu-24.04": "http://10.64.0.2/ubuntu",
        "rocky-9": "http://10.64.0.2/rocky/9/BaseOS/x86_64/os",
    },
    "disks": {"devices": ["/dev/disk/by-path/pci-0000:5e:00.0-nvme-1"]},
    "users": [{"name": "root", "keys": [KEY]}, {"name": "ops", "keys": [KEY]}],
}
MIRROR = {"devices": ["/dev/nvme0n1", "/dev/nvme1n1"], "raid": "mirror"}
MACHINE = {"serial": "SN-0001", "mac": "02:00:5E:10:00:01", "uuid": "00000000-0000-4000-8000-000000000001"}


def text(name: str, section: dict[str, Any]) -> str:
    """The site file of an example with `section`."""
    data = yaml_text.load((EXAMPLE.parents[1] / name / "site.yaml").read_text(encoding="utf-8"))
    return yaml.safe_dump(data | {"install": section}, sort_keys=False)


def design(name: str, folder: Path, machines: str, **changes: Any) -> Design:
    """The design of an example site, written into `folder` with its list of machines."""
    (folder / "machines.csv").write_text(machines, encoding="utf-8")
    (folder / "site.yaml").write_text(text(name, SECTION | changes), encoding="utf-8")
    loaded = spec.load(folder / "site.yaml", to_design=True)
    return design_stage.expand(loaded.site, loaded.catalog)


def list_of(node: str, **interfaces: str) -> str:
    """A list with one machine, which has these interfaces."""
    row = {"node": node, **MACHINE, **interfaces}
    return f"{','.join(row)}\n{','.join(row.values())}\n"


def declared(plan: Design, machines: str) -> dict[str, DeclaredMachine]:
    """The machines of the list `machines`."""
    return machines_file.read(machines, "machines.csv", [node.name for node in plan.nodes()])


def files(plan: Design, machines: str) -> dict[str, str]:
    """The text of every exported file."""
    request = ExportRequest(machines=declared(plan, machines))
    return {file.name: file.text() for file in export(plan, "install", request)}
