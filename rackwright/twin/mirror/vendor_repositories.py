"""Stands in for the repositories of vendors and distributions: the same addresses and paths, metadata signed by the twin's keys.

VENDORS/<host>/<path of the repository>
VENDORS/<host>/<path of its key>
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from rackwright.model.artifact import Architecture
from rackwright.model.site import Software
from rackwright.twin import systems
from rackwright.twin.mirror import package as deb
from rackwright.twin.mirror import repository, rpm_package, rpm_repository
from rackwright.twin.mirror.families import PackageDefinition
from rackwright.twin.mirror.tools import run
from rackwright.upstreams import FLAT, SourceRepository, load_upstreams, select_sources, serving_source

VENDORS = "vendors"
"""Folder beside that of the mirror."""
KEYS = "vendor-keys.asc"
"""File in that of the mirror with the keys that sign all of them."""
ARCHITECTURE: Architecture = "amd64"


@dataclass(frozen=True)
class Content:
    """What goes into one repository."""

    packages: Sequence[PackageDefinition]
    programs: Path
    """The folder of `nvml.library.build`."""
    signer: str
    """Of the modules of the system's kernels."""


def of_system(software: Software, system: str) -> list[SourceRepository]:
    """The repositories that hosts with `system` install from, those of all pools, each once; of those of the site, what they are the place for."""
    bills = [bill for bill in map(software.bill, ("", *software.pools)) if bill.base == system]
    every = [source for bill in bills for source in select_sources(load_upstreams(), bill, bill.base, ARCHITECTURE)]
    return list({(source.name, source.url, source.packages): source for source in every}.values())


def of_the_site(packages: Sequence[PackageDefinition], sources: Sequence[SourceRepository]) -> list[PackageDefinition]:
    """Those of `packages` that no vendor publishes."""
    places = {package.name: serving_source(sources, package.name) for package in packages}
    return [package for package in packages if (place := places[package.name]) and place.publisher == "site"]


def publish(
    root: Path, software: Software, required: Mapping[str, Sequence[PackageDefinition]], programs: Path, keys: Path
) -> None:
    """Write the repositories of every system below `root`, with the packages that each is the place for, signed with the keys in `keys`."""
    root.mkdir(parents=True)
    public = rpm_repository.all_keys(keys)
    (root.parent / KEYS).write_text(public)
    for system, packages in required.items():
        sources = of_system(software, system)
        for source in sources:
            if source.publisher != "site" and not source.reason:
                chosen = [package for package in packages if _name_of_place(sources, package) == source.name]
                write = _publish_rpm if source.type == "rpm" else _publish_deb
                write(place(root, source.url), source, Content(chosen, programs, systems.load(system).signer), keys)
                key = place(root, source.key.url)
                key.parent.mkdir(parents=True, exist_ok=True)
                key.write_text(public)


def place(root: Path, url: str) -> Path:
    """Where what stands at `url` lies below `root`."""
    parts = urlsplit(url)
    return root / str(parts.hostname) / parts.path.lstrip("/")


def _name_of_place(sources: Sequence[SourceRepository], package: PackageDefinition) -> str:
    source = serving_source(sources, package.name)
    return source.name if source else ""


def _publish_deb(folder: Path, source: SourceRepository, content: Content, keys: Path) -> None:
    """Flat, or with everything in the first component of the first suite."""
    flat = source.suites == (FLAT,)
    pool = folder if flat else folder / "pool"
    pool.mkdir(parents=True, exist_ok=True)
    for package in content.packages:
        deb.write(package, content.programs, folder, pool, content.signer)
    releases = {folder / "Release": folder} if flat else dict(_suites(folder, source))
    if flat:
        repository.write_packages(folder, run(["apt-ftparchive", "packages", "."], folder=folder))
        repository.write_release(folder, FLAT, "")
    repository.sign_releases(releases, keys)


def _suites(folder: Path, source: SourceRepository) -> Iterator[tuple[Path, Path]]:
    """Release file and folder of each suite of a repository, written."""
    listing = run(["apt-ftparchive", "packages", "pool"], folder=folder)
    for suite in source.suites:
        of_suite = folder / "dists" / suite
        for component in source.components:
            binary = of_suite / component / f"binary-{repository.ARCHITECTURE}"
            first = (suite, component) == (source.suites[0], source.components[0])
            repository.write_packages(binary, listing if first else "")
        repository.write_release(of_suite, suite, " ".join(source.components))
        yield of_suite / "Release", of_suite


def _publish_rpm(folder: Path, source: SourceRepository, content: Content, keys: Path) -> None:  # noqa: ARG001 - as for deb
    folder.mkdir(parents=True, exist_ok=True)
    rpm_package.write_all(content.packages, content.programs, folder.parent, folder, content.signer)
    rpm_repository.index_folder(folder, content.packages, keys)
