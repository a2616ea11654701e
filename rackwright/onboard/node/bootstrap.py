"""First words on a node: says whether the bundle is there, takes it when it is not, and becomes its launcher.

Runs on any Python 3.7 or newer, as ``python3 -c``.
"""

from __future__ import annotations

import fcntl
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

NAMES = ("python3", "python3.13", "python3.12", "python3.11")


def main() -> None:
    """Ends by becoming the launcher."""
    header = json.loads(_line())
    python, newest = _python(tuple(header["python"]))
    if not python:
        least = ".".join(str(part) for part in header["python"])
        _print_json(
            refused=f"worker mode needs Python {least} or newer on the node (found {newest}): install it, or use --mode push"
        )
        sys.exit(1)
    home = Path(header["folder"]) / header["digest"]
    have = home.is_dir()
    _print_json(have=have)
    if not have:
        _unpack(_read(header["size"]), home)
    os.execv(python, [python, "-I", "-S", str(home / "launch.py")])  # noqa: S606 - no shell is wanted


def _print_json(**words: object) -> None:
    sys.stdout.write(json.dumps({"rackwright": "worker", **words}) + "\n")
    sys.stdout.flush()


def _line() -> bytes:
    """Read byte by byte: what follows belongs to whom we become."""
    line = b""
    while not line.endswith(b"\n"):
        more = os.read(0, 1)
        if not more:
            sys.exit("the connection ended early")
        line += more
    return line


def _read(size: int) -> bytes:
    parts, remaining = [], size
    while remaining:
        part = os.read(0, min(remaining, 1 << 20))
        if not part:
            sys.exit("the connection ended within the bundle")
        parts.append(part)
        remaining -= len(part)
    return b"".join(parts)


def _python(least: tuple[int, ...]) -> tuple[str, str]:
    """Path of the first Python that is new enough, else nothing; and the newest version that was seen."""
    newest: tuple[int, ...] = ()
    for path in filter(None, map(shutil.which, NAMES)):
        newest = max(newest, _version(path))
        if newest >= least:
            return path, ""
    return "", ".".join(str(part) for part in newest)


def _version(path: str) -> tuple[int, ...]:
    """Nothing for a program that is called python and is none (a shim of a version manager)."""
    code = "import sys; print('%d %d' % sys.version_info[:2])"
    process = subprocess.run([path, "-I", "-S", "-c", code], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return tuple(int(part) for part in process.stdout.split()) if process.returncode == 0 else ()


def _unpack(bundle: bytes, home: Path) -> None:
    """Beside its place first: a connection that breaks leaves no half a bundle."""
    digest = hashlib.sha256(bundle).hexdigest()
    if digest != home.name:
        sys.exit(f"the bundle arrived with digest {digest}, and {home.name} was sent")
    home.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    with (home.parent / "unpacking").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if home.is_dir():
            return
        beside = home.with_name("part")
        shutil.rmtree(str(beside), ignore_errors=True)
        with tarfile.open(fileobj=io.BytesIO(bundle), mode="r:gz") as archive:
            archive.extractall(beside)  # noqa: S202 - its digest is the one that came over SSH
        beside.rename(home)


if __name__ == "__main__":
    main()
