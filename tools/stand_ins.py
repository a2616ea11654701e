"""Lists each stand-in of the twin with its upstream source: packages with their units and scripts, programs of its hosts, tools of collectors.

Exits 1 when one has no source: what a stand-in answers comes from an upstream artifact, never from the role or the parser that reads it.
``-v`` prints the list.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[1]
TWIN = ROOT / "rackwright" / "twin"
NAMED = re.compile(
    r"\b(?:Source|Shapes?|Printed forms|Messages and statuses|Words and output|Layout)\b[^:.]{0,60}:\s*(\S.*)",
    re.DOTALL,
)
"""How a module names the artifact that it was written from, in its docstring."""
INNER = {
    "guest": ("__init__", "boot", "bootloader", "command", "dkms_tree", "ending", "hang", "init", "kernel", "loop", "machine", "manager", "mirror", "notify", "process", "readiness", "service", "supervise"),
    "guest/products": ("__init__", "cluster", "container", "group_speed", "parts"),
    "guest/vendors": ("__init__", "node"),
}  # fmt: skip
"""Modules that print nothing and leave nothing: they run what stands in, or are the fault itself."""


def packages() -> dict[str, str]:
    """Family of packages -> source of their names, dependencies, files, units, scripts and exit codes."""
    families = {}
    for path in sorted((TWIN / "mirror" / "packages").glob("*.yaml")):
        family = yaml.safe_load(path.read_text(encoding="utf-8"))
        families[f"packages {path.stem}"] = str(family.get("source", ""))
    return families


def programs() -> dict[str, str]:
    """Program of the hosts -> what its docstring names."""
    named = {}
    for folder, inner in INNER.items():
        for path in sorted((TWIN / folder).glob("*.py")):
            if path.stem not in inner:
                text = " ".join((ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split())
                match = NAMED.search(text)
                named[f"program {folder.removeprefix('guest').strip('/') or 'host'}/{path.stem}"] = (
                    match[1] if match else ""
                )
    return named


def tools() -> dict[str, str]:
    """Tool that a collector reads -> the recording that its parser was proven with, or why there is none."""
    lists = yaml.safe_load((ROOT / "tests" / "cases" / "recorded.yaml").read_text(encoding="utf-8"))
    of = {row["collector"]: row["of"] for row in lists["recorded"]}
    of |= {row["collector"]: f"not recorded: {row['why']}" for row in lists["unrecorded"]}
    of |= dict.fromkeys(lists["ours"], "our own program writes the document")
    stems = [path.stem for path in sorted((ROOT / "validators" / "collectors").glob("*.py"))]
    return {f"tool {name}": of.get(name, "") for name in stems if (TWIN / "tools" / f"{name}.py").is_file()}


def main() -> int:
    """Print the list or its length; 1 with every stand-in that names no source."""
    listed = packages() | programs() | tools()
    missing = [name for name, source in listed.items() if not source.strip()]
    if "-v" in sys.argv[1:]:
        print("\n".join(f"{name}: {source[:200]}" for name, source in listed.items()))
    print(
        "\n".join(
            f"{name}: no upstream source (a docstring says `Source: ...`, a family of packages `source:`)"
            for name in missing
        ),
        end="\n" if missing else "",
    )
    print(f"{len(listed)} stand-ins of the twin, {len(missing)} without a source")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
