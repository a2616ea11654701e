"""Writes an `Inventory` as Ansible reads it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from rackwright.model.inventory import Inventory

FILE = "hosts.yml"


def as_ansible(inventory: Inventory) -> dict[str, Any]:
    """The inventory as Ansible's YAML plugin reads it (JSON is YAML)."""
    children: dict[str, Any] = {group: {"hosts": dict.fromkeys(names)} for group, names in inventory.groups.items()}
    return {"all": {"hosts": inventory.hosts, "vars": inventory.variables, "children": children}}


def write_inventory(inventory: Inventory, folder: Path) -> Path:
    """Write ``hosts.yml`` into `folder`, which is made anew: a file of an earlier run would be read as well."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    (folder / FILE).write_text(json.dumps(as_ansible(inventory), indent=1), encoding="utf-8")
    return folder / FILE
