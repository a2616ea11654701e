"""The keys that hosts check rpm packages with, in one file at the root of the mirror: its own, and those of the packages' vendors.

The index of the mirror has another signer than the packages in it, so hosts get the keys of both, each pinned by digest.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence

from rackwright.base.errors import OutsideError
from rackwright.mirror.keyring import key_name
from rackwright.mirror.layout import RPM_KEYS, MirrorLayout
from rackwright.mirror.programs import run_program
from rackwright.mirror.signature import Ring
from rackwright.mirror.stored_files import is_rpm
from rackwright.model.artifact import Artifact


def accepted(ring: Ring) -> bytes:
    """The keys of `ring` that may sign, armored as rpm imports them. OutsideError if gpg cannot read them."""
    with tempfile.TemporaryDirectory(prefix="rw-gpg-") as home:
        gpg = ["gpg", "--homedir", home, "--batch", "--quiet", "--no-autostart"]
        read = run_program([*gpg, "--import"], ring.keys)
        keys = run_program([*gpg, "--armor", "--export", *sorted(ring.fingerprints)]).stdout
    if not keys:
        raise OutsideError(f"gpg reads none of the accepted keys: {read.stderr.decode(errors='replace').strip()}")
    return keys


def publish(layout: MirrorLayout, mirror_key: bytes, artifacts: Sequence[Artifact]) -> bool:
    """Write the file for the rpm packages among `artifacts`; False when there are none. `mirror_key` is its public key."""
    packages = [artifact for artifact in artifacts if artifact.kind == "package" and is_rpm(artifact.os or "")]
    names = sorted({key_name(artifact.upstream, rpm=True) for artifact in packages if artifact.upstream})
    files = [layout.root / "keys" / f"{name}.asc" for name in names]
    if packages:
        layout.put(layout.root / RPM_KEYS, mirror_key + b"".join(path.read_bytes() for path in files if path.is_file()))
    return bool(packages)
