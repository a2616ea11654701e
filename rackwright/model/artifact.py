"""The files that nodes install: those that roles require, and those that the mirror of an air-gapped site carries."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Literal

from rackwright.model.base import Record
from rackwright.model.software import OperatingSystem

Kind = Literal["package", "file", "key", "image"]
"""``package`` of a repository, vendor ``file`` that no repository carries, ``key`` of a repository, container ``image``."""
Architecture = Literal["amd64", "arm64"]
"""Machine architecture, as Debian calls it."""
MACHINES: dict[Architecture, str] = {"amd64": "x86_64", "arm64": "aarch64"}
"""The same as `uname -m` and rpm call it."""
WILDCARDS = "*?["


class Wanted(Record):
    """One package, file, key or image that a role requires on the nodes of one class."""

    pool: str
    """Node class: the pool, empty for servers without one."""
    os: OperatingSystem
    architecture: Architecture = "amd64"
    role: str
    kind: Kind
    name: str
    """Package, file or key by name, image by reference; a package name with wildcards is not asked for, it is a pin."""
    version: str = ""
    """Pattern (`fnmatch`) that the version of a package must match, epoch and revision included; empty for any."""
    url: str = ""
    """Where the node will fetch a file or key."""
    sha256: str = ""
    """What a file or key must hash to; empty where the role does not say."""

    @property
    def pin(self) -> bool:
        """Whether this only pins the version of a package, in case something else installs it."""
        return self.kind == "package" and any(sign in self.name for sign in WILDCARDS)

    def matches(self, name: str, version: str) -> bool:
        """Whether this package name and version satisfies the requirement."""
        return fnmatchcase(name, self.name) and fnmatchcase(version, self.version or "*")


class Artifact(Record):
    """One file that the mirror carries: a line of ``mirror.lock.json``."""

    kind: Kind
    name: str
    version: str = ""
    architecture: str = ""
    """As the package says it: ``all`` and ``noarch`` included; empty for files, keys and images."""
    os: OperatingSystem | None = None
    """Operating system whose repository lists it; None where it does not matter."""
    path: str
    """Below the mirror's folder; of an image: the manifest."""
    url: str
    """Where it was fetched."""
    size: int
    """Bytes."""
    sha256: str
    upstream: str = ""
    """Upstream by name; empty where it was fetched from the URL that the role gave."""
    fingerprint: str = ""
    """Key whose signature covers it (the index that holds its digest, or the package itself); empty where nothing does."""
    asked_by: tuple[str, ...] = ()
    """``pool/role`` that asks for it; ``needed by NAME`` of a dependency."""
