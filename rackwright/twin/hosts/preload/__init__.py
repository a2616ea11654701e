"""Builds what a host has in C: libraries that every program preloads, through which it sees the kernel of its node and not of this machine,
and the `systemctl` of the twin."""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from pathlib import Path

from rackwright.base.errors import OutsideError
from rackwright.twin.hosts import raised_limits

SOURCES = Path(__file__).resolve().parent
LIBRARY = ("-shared", "-fPIC", "-O2", "-fvisibility=hidden")
PROGRAM = ("-static", "-O2")
"""A host preloads its libraries into no static program, which starts in a third of the time."""
INSIDE = "/usr/lib/rackwright-twin"
KERNEL = ("kernel_calls.c", "module_file.c", "module_state.c")


def libraries(cache: Path) -> dict[str, Path]:
    """The libraries to preload, path inside a host -> compiled file; OutsideError without a working compiler."""
    compiled = {f"{INSIDE}/kernel.so": build(cache, "kernel", KERNEL)}
    if not Path("/proc/modules").exists():
        compiled[f"{INSIDE}/redirect.so"] = build(cache, "redirect", ("redirect.c",))
    if not raised_limits.may_raise(Path("/proc/self/status").read_text(encoding="ascii")):
        compiled[f"{INSIDE}/limits.so"] = build(cache, "limits", ("limits.c",))
    return compiled


def programs(cache: Path) -> dict[str, Path]:
    """Programs of a host, path inside -> compiled file; OutsideError without a working compiler."""
    return {"/usr/bin/systemctl": build(cache, "systemctl", ("systemctl.c",), PROGRAM)}


def build(cache: Path, name: str, sources: tuple[str, ...], flags: tuple[str, ...] = LIBRARY) -> Path:
    """The library or program `name`; from the cache unless a source changed."""
    paths = [SOURCES / source for source in sources]
    content = b"\0".join(path.read_bytes() for path in (*paths, SOURCES / "module.h"))
    suffix = ".so" if flags == LIBRARY else ""
    target = cache / f"{name}-{hashlib.sha256(content + repr(flags).encode()).hexdigest()[:16]}{suffix}"
    if not target.exists():
        cache.mkdir(parents=True, exist_ok=True)
        # Twins that start at once have the same process numbers: names made of those would be one name.
        with tempfile.TemporaryDirectory(dir=cache) as private:
            partial = Path(private) / target.name
            _compile(paths, partial, flags)
            partial.rename(target)
    return target


def _compile(sources: list[Path], target: Path, flags: tuple[str, ...]) -> None:
    command = [os.environ.get("CC", "cc"), *flags, "-o", str(target), *map(str, sources)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise OutsideError(f"the C compiler `{command[0]}` is missing: run `apt-get install gcc libc6-dev`") from None
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["it printed nothing"]
        raise OutsideError(f"the C compiler refuses the twin's {target.stem}: {last[0]}; is libc6-dev installed?")
