"""Searches what a run leaves behind for its secrets: state of the engine, ledger, logs, events, records, outputs."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from pathlib import Path

SIGNED_PATH = re.compile(rb"\.(?:boot|install|home)\.\d+\.\d+\.[A-Za-z0-9_-]{22}")
"""What proves a machine's right to the boot server (rackwright/boot/signed_path.py)."""
HAVE_PATHS = ("work/boot/options", "work/boot/.options", "twin/")
"""Who must know them: DHCP, in a file of its owner alone, and the machines."""
SHORTEST = 16
"""Bytes of a file in a folder of secrets that are searched for elsewhere."""


def spellings(secret: bytes) -> Iterator[bytes]:
    """`secret` as it stands in a text, in hex, and in base64 wherever it begins in what was encoded."""
    yield secret
    yield secret.hex().encode()
    for before in range(3):
        encoded = base64.b64encode(bytes(before) + secret)
        yield encoded[-(-before * 8 // 6) : len(encoded) - 4]  # without what depends on its neighbours


def leaks(folder: Path, password: str) -> Iterator[str]:
    """Each file below `folder` that has the password, a key of another file, or a signed path that it has no need of."""
    keys = {
        path: path.read_bytes().strip()
        for path in [folder / "work/boot/key", *(folder / "work/secrets").glob("*")]
        if path.is_file()
    }
    searched = {"the password": (None, list(spellings(password.encode())))}
    searched |= {f"the content of {path.name}": (path, list(spellings(key))) for path, key in keys.items() if len(key) >= SHORTEST}  # fmt: skip
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        content, name = path.read_bytes(), str(path.relative_to(folder))
        for what, (place, texts) in searched.items():
            if place != path and any(text in content for text in texts):
                yield f"{what} is in {name}"
        if SIGNED_PATH.search(content) and not name.startswith(HAVE_PATHS):
            yield f"a signed path of the boot server is in {name}"
        if path in keys and path.stat().st_mode & 0o077:
            yield f"{name} can be read by others"
