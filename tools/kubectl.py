"""Gets kubectl when there is none that is new enough: built from its pinned Go module, into the environment of the project.

Run by ``make setup`` with the project's own Python. Tests of Kubernetes nodes need it; whoever has a cluster has one of their own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import engine

MODULE = Path(__file__).resolve().parent / "kubectl"
VERSION = "v1.33.3"
"""Of the module k8s.io/kubectl, whose v0.33.3 belongs to it."""
MINIMUM = (1, 24)
"""``kubectl patch --subresource`` came with it (Kubernetes 1.24 changelog)."""
TARGET = Path(sys.executable).parent / "kubectl"


def main() -> int:
    """Make sure that there is one; print only what is done."""
    if not any(_version(program) >= MINIMUM for program in (shutil.which("kubectl"), str(TARGET)) if program):
        _build()
    return 0


def _version(program: str) -> tuple[int, int]:
    try:
        output = subprocess.run(
            [program, "version", "--client", "--output=json"], capture_output=True, text=True, check=True, timeout=60
        ).stdout
        version = json.loads(output)["clientVersion"]
        return int(version["major"]), int(version["minor"].rstrip("+"))
    except (OSError, subprocess.SubprocessError, ValueError, KeyError):
        return 0, 0


def _build() -> None:
    print(f"setup: building kubectl {VERSION} from its Go module (1 to 3 minutes, once)", flush=True)
    started = time.monotonic()
    flag = "k8s.io/component-base/version"
    facts = f"-s -w -X {flag}.gitVersion={VERSION} -X {flag}.gitMajor=1 -X {flag}.gitMinor=33"
    with tempfile.TemporaryDirectory(dir=TARGET.parent) as scratch:
        built = Path(scratch) / "kubectl"
        done = subprocess.run(
            [engine.go(), "build", "-trimpath", "-ldflags", facts, "-o", str(built), "."],
            cwd=MODULE, env={**os.environ, "GOFLAGS": "-mod=readonly", "CGO_ENABLED": "0"},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"setup: kubectl cannot be built:\n{done.stderr[-2000:]}")
        built.replace(TARGET)
    print(f"setup: built {TARGET} in {time.monotonic() - started:.0f} s", flush=True)


if __name__ == "__main__":
    raise SystemExit(main())
