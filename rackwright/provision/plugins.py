"""The plugin that carries out objects of Kubernetes: the official one where the machine has it, else ours.

Ours is no script of the package: on PATH it would stand in for the official plugin in every stack of the machine. A launcher is
written into a folder that only the engine of one run has on its PATH.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import sys
from pathlib import Path

from rackwright.base.durable_file import replace_file
from rackwright.provision.engine import MARK

PLUGIN = "pulumi-resource-kubernetes"
VERSION = re.compile(r"resource-kubernetes-v(\d+)\.(\d+)\.(\d+)$")


def official_plugin() -> Path | None:
    """The official plugin: on PATH, else the newest that `pulumi plugin install` put into the home of the engine, else None."""
    on_path = shutil.which(PLUGIN)
    if on_path and MARK.encode() not in Path(on_path).read_bytes()[:200]:
        return Path(on_path)
    home = Path(os.environ.get("PULUMI_HOME") or "~/.pulumi").expanduser()
    installed = [
        (tuple(map(int, match.groups())), folder / PLUGIN)
        for folder in (home / "plugins").glob("resource-kubernetes-v*")
        if (match := VERSION.search(folder.name)) and os.access(folder / PLUGIN, os.X_OK)
    ]
    return max(installed)[1] if installed else None


def install_kubernetes_plugin(folder: Path) -> Path:
    """The plugin that an engine shall use: the official one, or our launcher in `folder`. OSError when that cannot be written."""
    if plugin := official_plugin():
        return plugin
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_file(folder / PLUGIN, _launcher(), 0o755)
    return folder / PLUGIN


def _launcher() -> str:
    return (
        f"#!/bin/sh\n{MARK}: a plugin of Kubernetes for the Pulumi engine\n"
        f'exec {shlex.quote(sys.executable)} -m rackwright.kubernetes.provider_main "$@"\n'
    )


def main() -> int:
    """``python -m rackwright.provision.plugins FOLDER``: print the plugin for a `pulumi up` by hand; ours is written into FOLDER."""
    parser = argparse.ArgumentParser(prog="python -m rackwright.provision.plugins", description=__doc__)
    parser.add_argument("folder", type=Path, help="folder for our plugin, which then belongs on PATH")
    print(install_kubernetes_plugin(parser.parse_args().folder))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
