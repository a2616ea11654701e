"""Finds the Pulumi engine, and gives it a Python language host where it has none.

Standard library only, because set-up asks it before anything else works.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import sys
from pathlib import Path

from rackwright import __version__
from rackwright.base.durable_file import replace_file
from rackwright.base.errors import OutsideError

VERSION = "3.217.0"
"""Engine that set-up installs: the newest of the Go module that builds from source (go.mod in tools/pulumi, 2026-11-21)."""

PROGRAM = "pulumi"
LANGUAGE_HOST = "pulumi-language-python"
POLICY_HOST = "pulumi-analyzer-policy-python"
HOSTS = {LANGUAGE_HOST: "rackwright.provision.language_host", POLICY_HOST: "pulumi.policy"}
"""Programs that the engine looks for -> module that our launcher runs."""
PLUGIN = "pulumi-resource-rackwright"
MARK = "# written by rackwright"


def cache_folder() -> Path:
    """Where set-up puts the engine of this user: the program is ``bin/pulumi`` below it."""
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(cache).expanduser() / "rackwright" / "pulumi" / VERSION


def find_engine() -> Path | None:
    """The engine: on PATH, else in the cache, else None."""
    on_path = shutil.which(PROGRAM)
    cached = cache_folder() / "bin" / PROGRAM
    if on_path:
        return Path(on_path)
    return cached if os.access(cached, os.X_OK) else None


def require_engine() -> Path:
    """The engine; OutsideError when there is none."""
    engine = find_engine()
    if engine is None:
        raise OutsideError("the Pulumi engine is not installed: run `make setup` in the checkout, then run again")
    return engine


def install_language_host(folder: Path) -> Path:
    """Make sure the engine in `folder` finds a Python language host, and one for policy packs, so that a plain ``pulumi up`` works; the path of the first.

    One on PATH or beside the engine is left alone unless it is an older launcher of rackwright. The launcher uses the active
    virtual environment, else the one it was written from. OSError when `folder` cannot be written.
    """
    installed = {name: _install_host(folder, name, module) for name, module in HOSTS.items()}
    return installed[LANGUAGE_HOST]


def _install_host(folder: Path, name: str, module: str) -> Path:
    beside = folder / name
    present = shutil.which(name) or (str(beside) if beside.exists() else None)
    if present and not _is_our_launcher(Path(present)):
        return Path(present)
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(beside, _launcher(module), 0o755)
    return beside


def install_plugin(home: Path) -> Path:
    """Put a link to our plugin among the plugins of the engine in `home` (``~/.pulumi``), where `pulumi package` looks for it by name; its path.

    OSError when the folder cannot be written.
    """
    link = home / "plugins" / f"resource-rackwright-v{__version__}" / PLUGIN
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(Path(sys.executable).parent / PLUGIN)
    return link


def _is_our_launcher(path: Path) -> bool:
    return MARK.encode() in path.read_bytes()[:200]


def _launcher(module: str) -> str:
    return (
        f"#!/bin/sh\n{MARK}: {module} for the Pulumi engine\n"
        f'python="${{VIRTUAL_ENV:-/nowhere}}/bin/python"\n'
        f'[ -x "$python" ] || python={shlex.quote(sys.executable)}\n'
        f'exec "$python" -u -m {module} "$@"\n'
    )


def main() -> int:
    """``python -m rackwright.provision.engine``: print where the engine is; with an option, give it a language host or our plugin."""
    parser = argparse.ArgumentParser(prog="python -m rackwright.provision.engine", description=__doc__)
    parser.add_argument(
        "--install-language-host", action="store_true", help="for a plain `pulumi up` by hand, with policy packs"
    )
    parser.add_argument(
        "--install-plugin", action="store_true", help="for `pulumi package get-schema rackwright` and `gen-sdk`"
    )
    args = parser.parse_args()
    engine = require_engine()
    print(engine)
    if args.install_language_host:
        print(install_language_host(engine.parent))
    if args.install_plugin:
        print(install_plugin(Path(os.environ.get("PULUMI_HOME") or Path.home() / ".pulumi")))
    return 0


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except OutsideError as error:
        raise SystemExit(f"rackwright: {error}") from error
