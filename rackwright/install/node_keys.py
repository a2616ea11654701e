"""Public keys by which nodes prove who they are: of each node one file, in the workspace of its site. The private halves never leave the nodes."""

from __future__ import annotations

import re
from pathlib import Path

from rackwright.base.durable_file import replace_file
from rackwright.base.workspace import Workspace
from rackwright.model.hostlist import NAME

KEY = r"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-Za-z0-9+/]{43}"
"""An Ed25519 key as OpenSSH writes it, without its comment (RFC 8709, 4): 32 bytes behind a head that is always the same."""


class NodeKeys:
    """The keys of one site; whoever installs or enrols a node says which is its key from then on."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def of_site(cls, workspace: Workspace) -> NodeKeys:
        """Those in `workspace`."""
        return cls(workspace.folder("node-keys"))

    def key(self, node: str) -> str:
        """The key of `node`; empty for one that was never enrolled, and for an invalid name."""
        if not NAME.fullmatch(node):
            return ""
        try:
            return (self._folder / f"{node}.pub").read_text(encoding="ascii").strip()
        except (FileNotFoundError, UnicodeDecodeError):
            return ""

    def accept(self, node: str, key: str) -> None:
        """`node` has this key from now on. ValueError for what is none."""
        if not re.fullmatch(KEY, key):
            raise ValueError(f"{key[:80]!r} is no Ed25519 key of OpenSSH")
        replace_file(self._folder / f"{node}.pub", f"{key}\n", 0o600)

    def forget(self, node: str) -> None:
        """The key of `node` counts no longer: its system goes."""
        (self._folder / f"{node}.pub").unlink(missing_ok=True)
