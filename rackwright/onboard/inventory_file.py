"""Writes an `Inventory` as Ansible reads it: its texts are data, and no template is filled in that stands in one of them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rackwright.model.inventory import Inventory

FILE = "hosts.yml"
DATA = "__ansible_unsafe"
"""Marks a text that is never a template, as ``!unsafe`` does in YAML (ansible-core, _internal/_json/_profiles/_legacy.py: deserialize_unsafe;
read 2026-11). Ansible reads a file that is JSON as JSON, which takes a tenth of the time of YAML."""
RESERVED = "__ansible_"
"""How keys begin that mean something to Ansible where a mapping is read."""


class Template(str):
    """A text of our own that Ansible fills in. Every other text of an inventory is data."""

    __slots__ = ()


def as_ansible(inventory: Inventory) -> dict[str, Any]:
    """The inventory as Ansible's YAML plugin reads it (JSON is YAML)."""
    children: dict[str, Any] = {group: {"hosts": dict.fromkeys(names)} for group, names in inventory.groups.items()}
    return {"all": {"hosts": as_data(inventory.hosts), "vars": as_data(inventory.variables), "children": children}}


def as_data(value: Any) -> Any:
    """`value` with every text in it marked as `DATA`. ValueError for a key that means something to Ansible."""
    if isinstance(value, Template):
        return str(value)
    if isinstance(value, str):
        return {DATA: value}
    if isinstance(value, Mapping):
        if reserved := [key for key in value if str(key).startswith(RESERVED)]:
            raise ValueError(f"{reserved[0]} is a word of Ansible's and no key of an inventory")
        return {key: as_data(inner) for key, inner in value.items()}
    return [as_data(inner) for inner in value] if isinstance(value, (list, tuple)) else value


def write_inventory(inventory: Inventory, folder: Path) -> Path:
    """Write ``hosts.yml`` into `folder`, which is made anew: a file of an earlier run would be read as well."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    (folder / FILE).write_text(json.dumps(as_ansible(inventory), indent=1), encoding="utf-8")
    return folder / FILE
