"""containerd of a twin node: its configuration with imports, its socket, and what `ctr` reads there. It runs no containers.

Shape: containerd, cmd/containerd (release 1.7 and 2.1, 2025): ``containerd config dump``, ``containerd --version``, ``ctr version``.
"""

from __future__ import annotations

import os
import socket
import sys
import tomllib
from typing import Any

from . import containerd_config, parts

SOCKET = "/run/containerd/containerd.sock"


def main() -> int:
    """Entry point of ``containerd``."""
    words = sys.argv[1:]
    release = parts.release("containerd")
    if words[:1] in (["--version"], ["-v"]):
        print(f"containerd containerd.io v{release} twin")
        return 0
    path = parts.option(words, "--config") or containerd_config.MAIN
    try:
        configuration = containerd_config.load(path, release) if words[:2] != ["config", "default"] else {}
    except (OSError, tomllib.TOMLDecodeError, ValueError) as error:
        print(f"containerd: failed to load TOML: {path}: {error}", file=sys.stderr)
        return 1
    if words[:1] == ["config"]:
        print(containerd_config.text(configuration), end="")
        return 0
    return _serve(release, configuration)


def ctr() -> int:
    """Entry point of ``ctr``; `version` alone."""
    if sys.argv[1:] != ["version"]:
        print("ctr: this node runs no containers", file=sys.stderr)
        return 1
    print(f"Client:\n  Version:  v{parts.release('containerd')}")
    try:
        with socket.socket(socket.AF_UNIX) as channel:
            channel.connect(SOCKET)
            answer = channel.recv(200).decode()
    except OSError as error:
        print(f'ctr: failed to dial "{SOCKET}": {error.strerror}', file=sys.stderr)
        return 1
    print(f"\nServer:\n  Version:  {answer}")
    return 0


def _serve(release: str, configuration: dict[str, Any]) -> int:
    """Open the socket and answer with the release, until the service is stopped."""
    os.makedirs(os.path.dirname(SOCKET), exist_ok=True)
    if os.path.lexists(SOCKET):
        os.unlink(SOCKET)
    disabled = any("cri" in name for name in configuration.get("disabled_plugins", []))
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(SOCKET)
        os.chmod(SOCKET, 0o660)
        listener.listen()
        parts.ready()
        print("containerd successfully booted" + (" without the CRI plug-in" if disabled else ""), flush=True)
        while True:
            channel, _ = listener.accept()
            with channel:
                channel.sendall(f"v{release}".encode())
