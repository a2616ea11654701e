"""brsmi of a twin node: ``gpu list`` and ``gpu --query-gpu=... --format=csv[,noheader][,nounits]``.

Only what public scripts use (Project-HAMi/HAMi Biren SVI validation, 2026): fields index, name, memory.used, memory.free. No full
table of the tool is public, so there is none here.

Source: Project-HAMi/HAMi, validation of Biren SVI (2026), as above.
"""

from __future__ import annotations

import sys

from .node import VendorNode, option, read

UNITS = {"memory.used": "MiB", "memory.free": "MiB", "memory.total": "MiB"}


def main() -> int:
    """Entry point."""
    words, node = sys.argv[1:], read("biren")
    if not node.loaded:
        print("Failed to initialize BRML: driver not loaded", file=sys.stderr)
        return 1
    if words[:2] == ["gpu", "list"]:
        for gpu in node.accelerators:
            print(f"GPU {gpu['index']}: {gpu['product']} (UUID: {gpu['uuid']})")
        return 0
    fields = option(words, "--query-gpu").split(",")
    if words[:1] != ["gpu"] or not fields[0]:
        print("usage: brsmi gpu list | brsmi gpu --query-gpu=FIELDS --format=csv", file=sys.stderr)
        return 2
    try:
        print(query(node, fields, option(words, "--format").split(",")), end="")
    except KeyError as error:
        print(f'Field "{error.args[0]}" is not a valid field to query.', file=sys.stderr)
        return 2
    return 0


def query(node: VendorNode, fields: list[str], form: list[str]) -> str:
    """Lines of CSV. KeyError for a field that the tool lacks."""
    rows = [
        {
            "index": gpu["index"],
            "name": gpu["product"],
            "uuid": gpu["uuid"],
            "memory.used": gpu["memory_used_mib"],
            "memory.free": gpu["memory_mib"] - gpu["memory_used_mib"],
            "memory.total": gpu["memory_mib"],
        }
        for gpu in node.accelerators
    ]
    units = {} if "nounits" in form else UNITS
    lines = [", ".join(f"{row[field]} {units.get(field, '')}".rstrip(" ") for field in fields) for row in rows]
    if "noheader" not in form:
        lines.insert(0, ", ".join(f"{field} [{UNITS[field]}]" if field in UNITS else field for field in fields))
    return "".join(f"{line}\n" for line in lines)
