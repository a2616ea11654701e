"""Writes an `Inventory` as Ansible reads it: its texts are data, and no template is filled in that stands in one of them."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from rackwright.base.durable_file import replace_file
from rackwright.model.inventory import Inventory

FILE = "hosts.yml"
DATA = "__ansible_unsafe"
"""Marks a text that is never a template, as ``!unsafe`` does in YAML (ansible-core, _internal/_json/_profiles/_legacy.py: deserialize_unsafe;
read 2026-11). Ansible reads a file that is JSON as JSON, which takes a tenth of the time of YAML."""
RESERVED = "__ansible_"
"""How keys begin that mean something to Ansible where a mapping is read."""

TEMPLATE = re.compile(r"[{#]")
"""Where Ansible may find a template in a text: its delimiters, and a first line ``#jinja2:`` that names others (ansible-core 2.19,
_internal/_templating/_jinja_bits.py). Wider than that on purpose: a mark too many changes nothing."""


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


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc] # the C class has no type
    """Writes YAML for people: repeated values in full, and a mark only where a text could be taken for a template."""

    def ignore_aliases(self, _data: object) -> bool:
        """Aliases make a file short and hard to read."""
        return True


def _data_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("!unsafe" if TEMPLATE.search(text) else "tag:yaml.org,2002:str", text)


def _template_text(dumper: yaml.SafeDumper, text: Template) -> yaml.ScalarNode:
    return dumper.represent_str(str(text))


_Dumper.add_representer(str, _data_text)
_Dumper.add_representer(Template, _template_text)


def as_yaml(inventory: Inventory) -> str:
    """The inventory for people, in Ansible's YAML: a text that could be a template is marked ``!unsafe``."""
    as_data([inventory.hosts, inventory.variables])
    groups = {group: {"hosts": dict.fromkeys(names)} for group, names in inventory.groups.items()}
    tree = {"all": {"hosts": inventory.hosts, "vars": inventory.variables, "children": groups}}
    return yaml.dump(tree, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)


def save_inventory(inventory: Inventory, folder: Path) -> Path:
    """Write `as_yaml` as ``hosts.yml`` into the folder of a user, in which everything else stays. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(folder / FILE, as_yaml(inventory))
    return folder / FILE


def write_inventory(inventory: Inventory, folder: Path) -> Path:
    """Write ``hosts.yml`` into `folder` of the workspace, which is made anew: a file of an earlier run would be read as well.

    It is written as JSON, which Ansible reads in a tenth of the time.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    (folder / FILE).write_text(json.dumps(as_ansible(inventory), indent=1), encoding="utf-8")
    return folder / FILE
