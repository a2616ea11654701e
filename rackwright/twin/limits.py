"""Limits of processes on a machine that does not let even root raise them: builds the library that keeps them inside hosts.

In: what this process may do, and a cache folder. Out: nothing where the kernel raises limits for us, else the compiled
``guest/limits.c``, which a host preloads into every program. Without it ``LimitMEMLOCK=infinity`` and pam_limits fail.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

from rackwright.errors import OutsideError

SOURCE = Path(__file__).resolve().parent / "guest" / "limits.c"
CAP_SYS_RESOURCE = 24
FLAGS = ("-shared", "-fPIC", "-O2")
INSIDE = "/usr/lib/rackwright-twin/limits.so"


def library(cache: Path) -> Path | None:
    """The library to preload, None when this machine raises limits itself; OutsideError without a working compiler."""
    if may_raise(Path("/proc/self/status").read_text(encoding="ascii")):
        return None
    digest = hashlib.sha256(SOURCE.read_bytes() + repr(FLAGS).encode()).hexdigest()[:16]
    target = cache / f"limits-{digest}.so"
    if not target.exists():
        cache.mkdir(parents=True, exist_ok=True)
        partial = target.with_suffix(f".{os.getpid()}")
        _compile(partial)
        partial.rename(target)
    return target


def may_raise(status: str) -> bool:
    """True when the text of /proc/PID/status shows the capability to raise limits."""
    line = next(line for line in status.splitlines() if line.startswith("CapEff:"))
    return bool(int(line.split()[1], 16) >> CAP_SYS_RESOURCE & 1)


def _compile(target: Path) -> None:
    command = [os.environ.get("CC", "cc"), *FLAGS, "-o", str(target), str(SOURCE)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise OutsideError(f"the C compiler `{command[0]}` is missing: run `apt-get install gcc libc6-dev`") from None
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["it said nothing"]
        raise OutsideError(f"the C compiler refuses the twin's limits library: {last[0]}; is libc6-dev installed?")
