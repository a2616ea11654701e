"""Writes the mirror's apt suites atomically: a host reads the old suite or the new one.

Indexes lie under their
digests as well (``Acquire-By-Hash``), and ``InRelease`` is replaced last, by one rename: a host that read the old one still
finds what it lists. Written only when something changed, so a second sync signs nothing.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from rackwright.mirror.layout import COMPONENT, MirrorLayout
from rackwright.mirror.signature import Ring, SignatureError, read_clearsigned, verify_detached
from rackwright.mirror.signing import Signer

BY_HASH = "by-hash/SHA256"


def publish_suite(
    layout: MirrorLayout, suite: str, entries: Mapping[str, list[str]], signer: Signer, now: datetime
) -> bool:
    """Write the suite: entries of ``Packages`` by architecture. False if it is up to date."""
    folder = layout.root / "dists" / suite
    files = _indexes(entries)
    body = _release(suite, sorted(entries), files)
    before = _published_release(folder, signer)
    if before is not None and _undated(before) == body and all(layout.holds(folder / p, d) for p, d in files.items()):
        return False
    for path, data in files.items():
        digest = hashlib.sha256(data).hexdigest()
        layout.put((folder / path).parent / BY_HASH / digest, data)
    for path, data in files.items():
        layout.put(folder / path, data)
    text = f"Date: {now:%a, %d %b %Y %H:%M:%S} UTC\n{body}".encode()
    layout.put(folder / "Release", text)
    layout.put(folder / "Release.gpg", signer.detached(text))
    layout.put(folder / "InRelease", signer.clearsign(text))
    _remove_unlisted(folder, text.decode(), before or "")
    return True


def _indexes(entries: Mapping[str, list[str]]) -> dict[str, bytes]:
    files = {}
    for architecture, texts in entries.items():
        text = "\n".join(sorted(texts)).encode()
        path = f"{COMPONENT}/binary-{architecture}/Packages"
        files[path] = text
        files[f"{path}.gz"] = gzip.compress(text, mtime=0)
    return files


def _release(suite: str, architectures: list[str], files: Mapping[str, bytes]) -> str:
    fields = {
        "Origin": "rackwright",
        "Label": "rackwright mirror",
        "Suite": suite,
        "Codename": suite,
        "Acquire-By-Hash": "yes",
        "Architectures": " ".join(architectures),
        "Components": COMPONENT,
    }
    head = "".join(f"{name}: {value}\n" for name, value in fields.items())
    sums = "".join(f" {hashlib.sha256(data).hexdigest()} {len(data)} {path}\n" for path, data in sorted(files.items()))
    return f"{head}SHA256:\n{sums}"


def _published_release(folder: Path, signer: Signer) -> str | None:
    """The release that is published under this key, in both its forms; else None."""
    try:
        text, _ = read_clearsigned((folder / "InRelease").read_bytes(), Ring(signer.public))
        verify_detached(text, (folder / "Release.gpg").read_bytes(), Ring(signer.public))
        return text.decode() if (folder / "Release").read_bytes() == text else None
    except (OSError, SignatureError):
        return None


def _undated(release: str) -> str:
    return "".join(line for line in release.splitlines(keepends=True) if not line.startswith("Date: "))


def _remove_unlisted(folder: Path, *releases: str) -> None:
    """Remove the indexes under digests that neither of the releases lists."""
    for path in folder.glob(f"*/*/{BY_HASH}/*"):
        if not any(path.name in release for release in releases):
            path.unlink()
