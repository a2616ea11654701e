"""Writes one rpm repository of the mirror: the upstreams' own entries, filtered, signed with the mirror's key.

createrepo_c is not needed: what dnf reads (libdnf, dnf-sack.cpp: file lists are optional) is ``primary`` and, for module
streams, ``modules``, and both are taken from the upstreams word for word. ``repomd.xml`` is replaced last, by one rename;
the files it lists have their digest in their name. (Its signature is a file of its own, as rpm has it: a host that reads
between the two renames refuses the repository and asks again.)
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import quoteattr

from rackwright.mirror.layout import MirrorLayout
from rackwright.mirror.rpm_index import SPACES, parts
from rackwright.mirror.signature import Ring, SignatureError, verify_detached
from rackwright.mirror.signing import Signer

REPO_SPACES = 'xmlns="http://linux.duke.edu/metadata/repo" xmlns:rpm="http://linux.duke.edu/metadata/rpm"'
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def publish_repository(layout: MirrorLayout, folder: str, entries: Iterable[str], modules: str, signer: Signer) -> bool:
    """Write ``<folder>/repodata``: entries of ``primary.xml``, and the YAML of module streams. False if it is up to date."""
    listed = sorted(entries)
    primary = f'{HEAD}<metadata {SPACES} packages="{len(listed)}">\n' + "\n".join(listed) + "\n</metadata>\n"
    texts = {"primary": ("primary.xml", primary)} | ({"modules": ("modules.yaml", modules)} if modules else {})
    root = layout.root / folder / "repodata"
    files = {kind: _compressed_file(name, text) for kind, (name, text) in texts.items()}
    data = [
        _data(kind, name, text.encode(), packed)
        for (kind, (name, packed)), (_, text) in zip(files.items(), texts.values(), strict=True)
    ]
    summary = f"{HEAD}<repomd {REPO_SPACES}>\n" + "".join(data) + "</repomd>\n"
    index = root / "repomd.xml"
    signature = root / "repomd.xml.asc"
    complete = all(layout.holds(root / name, packed) for name, packed in files.values())
    if complete and _is_published(index, summary.encode(), signer):
        return False
    before = {part.path for part in parts(index.read_bytes()).values()} if index.is_file() else set()
    for name, packed in files.values():
        layout.put(root / name, packed)
    layout.put(signature, signer.detached(summary.encode()))
    layout.put(index, summary.encode())
    keep = {"repomd.xml", signature.name} | {name for name, _ in files.values()}
    for path in root.iterdir():
        if path.name not in keep and f"repodata/{path.name}" not in before:
            path.unlink()
    return True


def _is_published(index: Path, summary: bytes, signer: Signer) -> bool:
    """Whether the repository already has this summary, signed with this key."""
    try:
        verify_detached(summary, index.with_name(f"{index.name}.asc").read_bytes(), Ring(signer.public))
        return index.read_bytes() == summary
    except (OSError, SignatureError):
        return False


def _compressed_file(name: str, text: str) -> tuple[str, bytes]:
    data = gzip.compress(text.encode(), mtime=0)
    return f"{hashlib.sha256(data).hexdigest()}-{name}.gz", data


def _data(kind: str, name: str, text: bytes, packed: bytes) -> str:
    return (
        f'  <data type="{kind}">\n'
        f'    <checksum type="sha256">{hashlib.sha256(packed).hexdigest()}</checksum>\n'
        f'    <open-checksum type="sha256">{hashlib.sha256(text).hexdigest()}</open-checksum>\n'
        f"    <location href={quoteattr(f'repodata/{name}')}/>\n"
        f"    <size>{len(packed)}</size>\n    <open-size>{len(text)}</open-size>\n  </data>\n"
    )
