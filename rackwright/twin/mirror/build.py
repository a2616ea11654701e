"""Builds the mirror, or reuses one that was built.

The name of the folder is a digest of all inputs, so a second call only reads the inputs. A build ends with one rename: an
interrupted one leaves no partial mirror.
"""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from rackwright.base import content
from rackwright.base.content import Roots
from rackwright.model.site import Software
from rackwright.twin import systems
from rackwright.twin.mirror import repository, rpm_package, rpm_repository, vendor_repositories
from rackwright.twin.mirror.definition import drivers, packages, run_files
from rackwright.twin.mirror.families import FOLDER, OF_SITE, PackageDefinition
from rackwright.twin.mirror.package import write
from rackwright.twin.mirror.repository import KEY_NAME
from rackwright.twin.mirror.run_file import write_all
from rackwright.twin.mirror.vendor_repositories import VENDORS
from rackwright.twin.nvml import library
from rackwright.upstreams.table import DATA as UPSTREAMS

__all__ = ["KEY_NAME", "build", "key_digests"]

Event = Callable[[str, dict[str, object]], None]


def build(cache: Path, software: Software, on_event: Event, roots: Roots = ()) -> Path:
    """The folder to serve at ``software.apt_mirror``: component ``main``, key at its root. `roots` as in `packages`.

    The suite is ``stable``, or for a site with several systems one per system, as `rackwright mirror sync` publishes them; systems
    with rpm have a repository each below ``rpm``.

    Events: ``mirror.reused`` or ``mirror.building`` and ``mirror.built``, each with `folder` and `packages`.
    Raises `ProblemsError` for an invalid version, `OutsideError` when a program of the distribution fails.
    """
    final = cache / f"mirror-{_digest(software, roots)}"
    if final.is_dir():
        on_event("mirror.reused", {"folder": str(final)})
        return final
    required = {system: packages(software, system, roots) for system in systems.of_the_site(software)}
    count = sum(map(len, required.values()))
    cache.mkdir(parents=True, exist_ok=True)
    with _build_lock(cache):
        if final.is_dir():
            on_event("mirror.reused", {"folder": str(final)})
            return final
        on_event("mirror.building", {"folder": str(final), "packages": count})
        _build(cache, software, required, run_files(software, roots), final)
    on_event("mirror.built", {"folder": str(final), "packages": count})
    return final


def key_digests(folder: Path) -> tuple[str, str]:
    """SHA-256 of the public key of the mirror in `folder`, and of the keys of its rpm packages (empty: it has none), to be pinned."""
    package_keys = folder / rpm_repository.PACKAGE_KEYS
    return _sha256(folder / KEY_NAME), _sha256(package_keys) if package_keys.is_file() else ""


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _build(
    cache: Path,
    software: Software,
    required: Mapping[str, Sequence[PackageDefinition]],
    archives: Sequence[PackageDefinition],
    final: Path,
) -> None:
    releases = library.Releases(drivers(software), software.dcgm, software.nccl, software.pyxis)
    programs = library.build(cache, releases)
    work = Path(tempfile.mkdtemp(prefix="mirror-", dir=cache))
    try:
        root = work / "root"
        if software.source == "vendor":
            vendor_repositories.publish(root / VENDORS, software, required, programs, cache / "mirror-key")
            required = {
                system: vendor_repositories.of_the_site(packages, vendor_repositories.of_system(software, system))
                for system, packages in required.items()
            }
        for system, definitions in required.items():
            suite = repository.SUITE if len(required) == 1 else system
            if systems.load(system).packager == "rpm":
                _publish_rpm(root, system, definitions, programs, cache / "mirror-key")
            else:
                _publish_deb(root, system, suite, definitions, programs)
        write_all(archives, programs, work, root / "files")
        repository.sign(root, cache / "mirror-key")
        root.chmod(0o755)
        root.rename(final)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _publish_deb(root: Path, system: str, suite: str, definitions: Sequence[PackageDefinition], programs: Path) -> None:
    """One suite; `repository.sign` signs it later."""
    pool = root / "pool" / system
    pool.mkdir(parents=True)
    for package in definitions:
        write(package, programs, root.parent, pool, systems.load(system).signer)
    repository.index(root, system, suite)


def _publish_rpm(root: Path, system: str, definitions: Sequence[PackageDefinition], programs: Path, keys: Path) -> None:
    """One repository below ``rpm``, signed with the key in `keys`; it has no suites."""
    pool = rpm_repository.folder(root, system) / "Packages"
    pool.mkdir(parents=True)
    rpm_package.write_all(definitions, programs, root.parent, pool, systems.load(system).signer)
    rpm_repository.index(root, system, definitions, keys)


@contextmanager
def _build_lock(cache: Path) -> Iterator[None]:
    """One build at a time per cache; two at once would create two signing keys."""
    with (cache / "mirror.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _digest(software: Software, roots: Roots) -> str:
    of_site = content.files(roots[1:], *OF_SITE, pattern="*.yaml").values()
    digest = hashlib.sha256(software.model_dump_json(exclude={"apt_mirror"}).encode())
    sources = [FOLDER, systems.FOLDER, library.SOURCES, library.SOURCES.parent]
    sources += [UPSTREAMS.parent] if software.source == "vendor" else []
    for path in [*sorted({path for folder in sources for path in folder.rglob("*") if path.is_file()}), *of_site]:
        if path.suffix != ".pyc":
            digest.update(f"\0{path.name}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
