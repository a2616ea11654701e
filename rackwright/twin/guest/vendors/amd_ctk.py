"""amd-ctk of a twin node: ``cdi generate|list|validate`` and the version.

Shape: ROCm/container-toolkit, docs/container-runtime/cdi-guide.rst (2025): /etc/cdi/amd.json, kind amd.com/gpu, devices by number and all.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from .node import option, read

SPECIFICATION = "/etc/cdi/amd.json"
FIRST_RENDER = 128
"""Minor number of the first render node (Documentation/admin-guide/devices.txt of Linux)."""
VERSION = "/usr/share/rackwright-twin/amd-container-toolkit.version"


def main() -> int:
    """Entry point."""
    words = sys.argv[1:]
    if words[:1] == ["--version"]:
        with open(VERSION, encoding="ascii") as file:
            print(f"amd-ctk version {file.read().strip()}")
        return 0
    path = option(words, "--output", "--path") or SPECIFICATION
    if words[:2] == ["cdi", "generate"]:
        return _generate(path)
    if words[:2] in (["cdi", "list"], ["cdi", "validate"]) and os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            specification = json.load(file)
        print("\n".join(f"{specification['kind']}={device['name']}" for device in specification["devices"]))
        return 0
    print("amd-ctk: no CDI specification, or an unspecification command", file=sys.stderr)
    return 1


def _generate(path: str) -> int:
    node = read("amd")
    if not node.accelerators:
        print("Failed to generate CDI spec: no AMD GPUs found", file=sys.stderr)
        return 1
    paths = {str(gpu["index"]): f"/dev/dri/renderD{FIRST_RENDER + gpu['index']}" for gpu in node.accelerators}
    devices = [_device(name, [render]) for name, render in paths.items()] + [_device("all", list(paths.values()))]
    content = {"cdiVersion": "0.6.0", "kind": "amd.com/gpu", "devices": devices}
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(f"{path}.new", "w", encoding="utf-8") as file:
        json.dump(content, file, indent=2)
    os.replace(f"{path}.new", path)
    print(f"Generated CDI spec: {path}")
    return 0


def _device(name: str, paths: list[str]) -> dict[str, Any]:
    return {"name": name, "containerEdits": {"deviceNodes": [{"path": path} for path in ["/dev/kfd", *paths]]}}
