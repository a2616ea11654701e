"""The folders of a mirror, and atomic writes into them.

DIR/rackwright-mirror.asc                            public key that signs the indexes
DIR/rackwright-rpm-keys.asc                          public keys that sign the rpm packages: of the mirror, and of their vendors
DIR/mirror.lock.json                                 every file with its digest
DIR/dists/<os>/  DIR/dists/stable/                   apt: one suite per operating system; `stable` is the only one's
DIR/pool/<os>/<upstream>/                            packages of apt
DIR/rpm/<os>/<x86_64|aarch64>/repodata/              rpm: one repository per operating system and architecture
DIR/rpm/<os>/<x86_64|aarch64>/<upstream>/            its packages
DIR/files/ (or where the URL of the role says)       vendor files
DIR/keys/<upstream>.asc, <upstream>-rpm.asc          keys of the upstreams, as they were used; of rpm those alone that are accepted
DIR/images/                                          container images as one OCI image layout
DIR/.sync/                                           files on their way, indexes of the upstreams; need not be copied
DIR-secrets/gnupg/                                   the secret key: beside the folder that is served, never in it
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rackwright.base.errors import OutsideError
from rackwright.model.artifact import MACHINES, Architecture
from rackwright.model.software import Bill

PUBLIC_KEY = "rackwright-mirror.asc"
RPM_KEYS = "rackwright-rpm-keys.asc"
OWN_KEYS = (PUBLIC_KEY, RPM_KEYS)
"""Keys that the mirror writes itself, at its root."""
LOCK = "mirror.lock.json"
SUITE = "stable"
"""Suite that the roles name; it lists what the only operating system of a site that uses apt needs."""
COMPONENT = "main"
WORK = ".sync"


def rpm_folder(os: str, architecture: Architecture) -> str:
    """Folder of an rpm repository below the mirror."""
    return f"rpm/{os}/{MACHINES[architecture]}"


def signed_index(bill: Bill, architecture: Architecture, own_suite: str) -> str:
    """The signed root of what nodes of `bill` install from, below the mirror; `own_suite` is that of `Site.own_suite`."""
    if bill.packager == "rpm":
        return f"{rpm_folder(bill.base, architecture)}/repodata/repomd.xml"
    return f"dists/{own_suite or SUITE}/InRelease"


@dataclass(frozen=True)
class MirrorLayout:
    """The folder of one mirror."""

    root: Path

    @property
    def work(self) -> Path:
        """Folder of a sync's own files, which hosts do not need."""
        return self.root / WORK

    @property
    def partial(self) -> Path:
        """Files on their way."""
        return self.work / "partial"

    @property
    def indexes(self) -> Path:
        """Indexes of upstreams by digest."""
        return self.work / "indexes"

    @property
    def secrets(self) -> Path:
        """The mirror's own key ring, which must never be served."""
        root = self.root.resolve()
        return root.with_name(f"{root.name}-secrets") / "gnupg"

    def packages(self, os: str, architecture: str) -> Path:
        """The folder of an apt index."""
        return self.root / "dists" / os / COMPONENT / f"binary-{architecture}"

    def prepare(self) -> None:
        """Make the folders that a sync works in; OutsideError when the folder cannot be written."""
        try:
            for folder in (self.root, self.partial, self.indexes):
                folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutsideError(
                f"{self.root} cannot be written to ({error.strerror}): name another folder with --to"
            ) from error

    @staticmethod
    def holds(path: Path, data: bytes) -> bool:
        """Whether the file is there with this content."""
        with suppress(OSError):
            return path.read_bytes() == data
        return False

    def put(self, path: Path, data: bytes) -> bool:
        """Write `data` to `path` in one step; False when it is there already."""
        if self.holds(path, data):
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        self.work.mkdir(parents=True, exist_ok=True)
        fresh = self.work / f"new-{path.name}"
        fresh.write_bytes(data)
        fresh.replace(path)
        return True
