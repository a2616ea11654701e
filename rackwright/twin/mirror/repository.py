"""Turns a folder of packages into an apt repository: index, release file, signature."""

from __future__ import annotations

import gzip
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from rackwright.base.errors import OutsideError
from rackwright.twin.guest.mirror import EXPIRED
from rackwright.twin.mirror.tools import run

SUITE = "stable"
COMPONENT = "main"
ARCHITECTURE = "amd64"
KEY_NAME = "rackwright-mirror.asc"
"""The public key, at the root of the repository."""
BEFORE = ("--faked-system-time", "20240101T000000", "1d")
"""Time at which the expired key was created and used, and its lifetime."""
OWNER = "rackwright twin mirror <twin@rackwright.invalid>"
VENDOR = "rackwright twin vendor <vendor@rackwright.invalid>"
"""Signs rpm packages, as their vendors do and the mirror does not."""
ALGORITHM = "rsa3072"
"""Of all keys, as `rackwright mirror sync` makes them."""


def index(root: Path, system: str, suite: str) -> None:
    """Write Packages, Packages.gz and Release of `suite` for everything in the pool of `system`."""
    binary = root / "dists" / suite / COMPONENT / f"binary-{ARCHITECTURE}"
    write_packages(binary, run(["apt-ftparchive", "packages", f"pool/{system}"], folder=root))
    write_release(root / "dists" / suite, suite, COMPONENT)


def write_packages(folder: Path, listing: str) -> None:
    """Packages and Packages.gz with `listing`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "Packages").write_text(listing)
    (folder / "Packages.gz").write_bytes(gzip.compress(listing.encode(), compresslevel=1, mtime=0))


def write_release(folder: Path, suite: str, components: str) -> None:
    """The release file of what is in `folder`."""
    fields = {
        "Origin": "rackwright",
        "Label": "rackwright",
        "Suite": suite,
        "Codename": suite,
        "Components": components,
        "Architectures": ARCHITECTURE,
    }
    options = [part for key, value in fields.items() for part in ("-o", f"APT::FTPArchive::Release::{key}={value}")]
    (folder / "Release").write_text(run(["apt-ftparchive", *options, "release", "."], folder=folder))


def sign(root: Path, keys: Path) -> None:
    """Sign every release file with the key in `keys` (created on first use) and publish the public half.

    Copies in the folder `EXPIRED` are signed with an expired key (a fault of the twin).
    """
    releases = sorted((root / "dists").glob("*/Release"))
    sign_releases({release: release.parent for release in releases}, keys)
    (root / KEY_NAME).write_text(public_key(keys))
    expired = keys.with_name(f"{keys.name}-{EXPIRED}")
    sign_releases({release: root / EXPIRED / release.parent.name for release in releases}, expired, BEFORE)
    (root / EXPIRED / KEY_NAME).write_text(public_key(expired))


def sign_releases(releases: Mapping[Path, Path], keys: Path, at: tuple[str, ...] = ()) -> None:
    """Sign release files with the key in `keys`, each into its folder."""
    with keyring(keys, at) as environment:
        gpg = ["gpg", "--batch", "--yes", "--no-tty", "--quiet", *at[:2], "--local-user", OWNER]
        for release, signed in releases.items():
            signed.mkdir(parents=True, exist_ok=True)
            run([*gpg, "--clearsign", "--output", "InRelease", str(release)], folder=signed, environment=environment)
            detach = ["--armor", "--detach-sign", "--output", "Release.gpg", str(release)]
            run([*gpg, *detach], folder=signed, environment=environment)


def public_key(keys: Path, owner: str = OWNER) -> str:
    """The public half of the key of `owner` in `keys`, armored."""
    with keyring(keys, owner=owner) as environment:
        public = run(["gpg", "--batch", "--armor", "--export", owner], environment=environment)
    if "BEGIN PGP PUBLIC KEY BLOCK" not in public:
        raise OutsideError(f"gpg exported no public key from {keys}; remove that folder so that a new key is made")
    return public


@contextmanager
def keyring(keys: Path, at: tuple[str, ...] = (), owner: str = OWNER) -> Iterator[dict[str, str]]:
    """Environment for gpg with a signing key of `owner` in `keys`; leaves no agent behind."""
    fresh = not (keys / "pubring.kbx").exists()
    keys.mkdir(mode=0o700, parents=True, exist_ok=True)
    # gpg's agent listens on a socket in its home, and a socket's path may have 107 characters: so a short link to it.
    short = Path(tempfile.mkdtemp(prefix="rw-gpg-"))
    environment = {"GNUPGHOME": str(short / "home")}
    (short / "home").symlink_to(keys.resolve())
    try:
        if fresh:
            make = ["gpg", "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", ""]
            lasts = at[2] if at else "never"
            run([*make, *at[:2], "--quick-generate-key", owner, ALGORITHM, "sign", lasts], environment=environment)
        yield environment
    finally:
        run(["gpgconf", "--kill", "gpg-agent"], environment=environment)
        shutil.rmtree(short, ignore_errors=True)
