"""brsmi of a twin node: ``gpu list`` and ``gpu --query-gpu=... --format=csv[,noheader][,nounits]``.

Only what public scripts use (Project-HAMi/HAMi Biren SVI validation, 2026): fields index, name, memory.used, memory.free. No full
table of the tool is public, so there is none here.
"""

from __future__ import annotations

import sys

from .node import Node, option

UNITS = {"memory.used": "MiB", "memory.free": "MiB", "memory.total": "MiB"}


def main() -> int:
    """Entry point."""
    words, node = sys.argv[1:], Node("biren")
    if not node.loaded:
        print("Failed to initialize BRML: driver not loaded", file=sys.stderr)
        return 1
    if words[:2] == ["gpu", "list"]:
        for one in node.accelerators:
            print(f"GPU {one['index']}: {one['product']} (UUID: {one['uuid']})")
        return 0
    fields = option(words, "--query-gpu").split(",")
    if words[:1] != ["gpu"] or not fields[0]:
        print("usage: brsmi gpu list | brsmi gpu --query-gpu=FIELDS --format=csv", file=sys.stderr)
        return 2
    return _query(node, fields, option(words, "--format").split(","))


def _query(node: Node, fields: list[str], form: list[str]) -> int:
    rows = [
        {
            "index": one["index"],
            "name": one["product"],
            "uuid": one["uuid"],
            "memory.used": one["memory_used_mib"],
            "memory.free": one["memory_mib"] - one["memory_used_mib"],
            "memory.total": one["memory_mib"],
        }
        for one in node.accelerators
    ]
    unknown = [field for field in fields if rows and field not in rows[0]]
    if unknown:
        print(f'Field "{unknown[0]}" is not a valid field to query.', file=sys.stderr)
        return 2
    if "noheader" not in form:
        print(", ".join(f"{field} [{UNITS[field]}]" if field in UNITS else field for field in fields))
    for row in rows:
        bare = "nounits" in form
        print(
            ", ".join(
                str(row[field]) if bare or field not in UNITS else f"{row[field]} {UNITS[field]}" for field in fields
            )
        )
    return 0
