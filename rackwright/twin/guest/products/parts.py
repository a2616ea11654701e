"""What several of these programs do: say that they are ready, read their release, run a program."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys

RELEASES = "/usr/share/rackwright-twin"


def release(product: str) -> str:
    """The release of a product, from the file that its package brought."""
    with open(os.path.join(RELEASES, f"{product}.release"), encoding="ascii") as file:
        return file.read().strip()


def ready() -> None:
    """Tell the init that this service runs (sd_notify(3)); nothing happens outside of a service."""
    address = os.environ.get("NOTIFY_SOCKET")
    if address:
        with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as channel:
            channel.sendto(b"READY=1", address)


def output(*words: str, data: bytes | None = None) -> bytes:
    """Standard output of a program; SystemExit with its own words when it fails."""
    done = subprocess.run(words, input=data, capture_output=True, check=False)
    if done.returncode:
        sys.exit(f"{words[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def write(path: str, text: str, mode: int = 0o644) -> None:
    """Replace a file in one step."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    handle = os.open(f"{path}.new", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(f"{path}.new", path)


def option(words: list[str], name: str) -> str:
    """Value of ``--name=value`` or ``--name value``; empty when it was not given. The last one wins."""
    value = ""
    for index, word in enumerate(words):
        if word.startswith(f"{name}="):
            value = word.partition("=")[2]
        elif word == name and index + 1 < len(words):
            value = words[index + 1]
    return value
