"""The packages of the twin's mirror, as data; nothing is built here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal

from rackwright.base import yaml_text
from rackwright.base.errors import Problem, ProblemsError
from rackwright.model.base import Record
from rackwright.model.site import Software
from rackwright.twin import systems
from rackwright.twin.mirror.modules import Dkms, KernelModule
from rackwright.twin.mirror.releases import drivers, of_a_release, releases

__all__ = ["drivers", "kernel_releases", "kernels", "module_version", "packages", "run_files", "substitute", "versions"]
FOLDER = Path(__file__).parent
DIGITS = re.compile(r"\d+(\.\d+){0,3}")
PARTS = {"driver": 2, "fabric_manager": 2, "dcgm": 3, "cuda": 2, "nccl": 3, "container_toolkit": 3}
"""How many numbers a version must have at least, by field of the bill."""


class PackageFile(Record):
    """One file of a package: its content is a text, a template of ``files/``, a compiled program or a link."""

    text: str | None = None
    template: str | None = None
    binary: str | None = None
    """``<kind>/<program>`` of the compiled set (``driver/nvidia-smi``); executable unless `mode` says otherwise."""
    link: str | None = None
    machine: str | None = None
    """A file of this machine, where the node's programs are this machine's as well."""
    program: str | None = None
    """``guest/PROGRAM.py`` of the twin, with the Python of the node; executable. ``PROGRAM:function`` where it has several."""
    mode: str | None = None


class ServiceDefinition(Record):
    """The systemd unit of a package and the system user it wants."""

    unit: str
    user: str = ""


class PackageDefinition(Record):
    """One binary package. Versions and paths may hold ``@name@`` until `packages` has filled them in."""

    name: str = ""
    version: str = ""
    """That of its family, unless it says its own."""
    upstream: str = ""
    """Version without epoch and revision; names the compiled set."""
    summary: str
    section: str = "misc"
    architecture: Literal["amd64", "all"] = "amd64"
    depends: list[str] = []
    """Relations are written as dpkg has them, ``name (= version)``, or as rpm has them in families of rpm packages alone."""
    recommends: list[str] = []
    conflicts: list[str] = []
    provides: list[str] = []
    obsoletes: list[str] = []
    """Of rpm packages alone."""
    streams: list[str] = []
    """Module streams that an rpm package belongs to (``nvidia-driver:580-open``)."""
    ldconfig: bool = False
    service: ServiceDefinition | None = None
    files: dict[str, PackageFile] = {}
    conffiles: list[str] = []
    scripts: dict[
        Literal["postinst", "prerm", "postrm", "pre", "post", "preun", "postun", "posttrans", "transfiletriggerin"], str
    ] = {}
    """Maintainer scripts by name, those of deb or those of rpm packages: templates of ``files/``."""
    modules: dict[str, KernelModule] = {}
    """Modules of a kernel package; its variables name the `release`."""
    dkms: Dkms | None = None
    """Modules that are built on the node; postinst and prerm are those of DKMS."""
    preinstalled: bool = False
    """True when a freshly installed node has it; of a kernel those releases that `TwinMachine.kernel` says."""
    run_file: str = ""
    """Not empty for a file of the vendor that no repository carries: the template of ``files/`` that installs its payload, or
    ``archive`` where the file is nothing but its payload (``.tar.gz``, ``.zip``)."""
    variables: dict[str, str] = {}


class Family(Record):
    """Packages that share one version."""

    family: str
    systems: list[str] = []
    """Systems that have these packages; every one with one of `packagers` where none is named."""
    packagers: list[Literal["dpkg", "rpm"]] = ["dpkg"]
    suites: dict[str, str] = {}
    """``@suite@`` in versions: what the vendor's repository calls a system, where that is not the version of the system."""
    source: str
    date: object
    package_version: str
    releases: list[dict[str, str]] = []
    """Variables of each release, oldest first, where the bill does not decide them; each has a `version`. One that names its
    `system` is for that system, the others for systems that have none of their own. ``fresh: "no"``: no node comes with it."""
    bill: str = ""
    """Field of the bill that names the version; the family is left out where it names none."""
    numbered: str = ""
    """Regular expression of the versions that are its own, where vendors share the field."""
    special: dict[str, dict[str, str]] = {}
    """Further variables of releases, by version of the bill (a pattern); ``default`` is for all others."""
    packages: dict[str, PackageDefinition]


def packages(software: Software, system: str = "") -> list[PackageDefinition]:
    """Every package of the mirror for `software` on `system` (the site's own by default), in family, version and name order.

    Raises `ProblemsError` with one problem per invalid version of the bill, and for an unknown system.
    """
    _refuse_bad_versions(software)
    return [package for package in _all_packages(software, system) if not package.run_file]


def run_files(software: Software) -> list[PackageDefinition]:
    """The vendor files of the mirror that are no packages; each is served under its name below ``/files``."""
    every = [package for system in systems.of_the_site(software) for package in _all_packages(software, system)]
    return list({package.name: package for package in every if package.run_file}.values())


def _all_packages(software: Software, system: str) -> list[PackageDefinition]:
    name = system or software.system
    table = systems.load(name)
    common = table.variables
    return [
        package
        for family in _families()
        if name in (family.systems or [name])
        for variables in releases(family, software, name)
        for package in _fill(
            family, {**common, "suite": family.suites.get(name, common["system_version"]), **variables}
        )
        if package.run_file or _system_offers(family, table)
    ]


def _system_offers(family: Family, system: systems.HostSystem) -> bool:
    """Whether the repositories of `system` carry the packages of a family; vendor files are the same everywhere."""
    return bool(family.systems) or system.packager in family.packagers


def versions(software: Software, system: str = "") -> dict[str, list[str]]:
    """The versions on offer for `system`, oldest family release first, by package name."""
    offered: dict[str, list[str]] = {}
    for package in packages(software, system):
        offered.setdefault(package.name, []).append(package.version)
    return offered


def kernels(software: Software) -> dict[str, str]:
    """Releases of the kernels on offer for the systems of the site, with what each says of its build (`uname -v`)."""
    return {
        release: variables["banner"]
        for system in systems.of_the_site(software)
        for release, variables in kernel_releases(system, fresh=False).items()
    }


def module_version(family: str, release: str) -> str:
    """What the kernel shows of a driver whose packages name `release`; the release itself where they have one number."""
    special = next(each.special for each in _families() if each.family == family)
    return of_a_release(release, special)["version"]


def package_version(family: str, release: str) -> str:
    """The version of the packages that bring `release`, as the vendor's archive writes it."""
    of = next(each for each in _families() if each.family == family)
    return substitute(of.package_version, of_a_release(release, of.special))


@cache
def kernel_releases(system: str, *, fresh: bool = True) -> dict[str, dict[str, str]]:
    """Variables of the kernels of `system` by release, oldest first; `fresh` for those alone that a node may come with."""
    return {
        release["release"]: release
        for family in _families()
        if family.family == "kernel" and system in family.systems
        for release in family.releases
        if release.get("system", system) == system and not (fresh and release.get("fresh") == "no")
    }


def _fill(family: Family, variables: Mapping[str, str]) -> Iterator[PackageDefinition]:
    full = substitute(family.package_version, variables)
    for name, package in family.packages.items():
        values = {**variables, "full": full}
        if package.service:
            values |= {"unit": package.service.unit, "user": package.service.user}
        filled = PackageDefinition.model_validate(_filled_value(package.model_dump(exclude_defaults=True), values))
        fields = {"name": substitute(name, values), "version": filled.version or full, "upstream": variables["version"]}
        fresh = filled.preinstalled and variables.get("fresh") != "no"
        yield filled.model_copy(update={**fields, "variables": {**values, **filled.variables}, "preinstalled": fresh})


def _filled_value(value: Any, variables: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return substitute(value, variables)
    if isinstance(value, list):
        return [_filled_value(item, variables) for item in value]
    if isinstance(value, dict):
        return {substitute(str(key), variables): _filled_value(item, variables) for key, item in value.items()}
    return value


def substitute(text: str, variables: Mapping[str, str]) -> str:
    """`text` with every ``@name@`` replaced; other at-signs stay."""
    return re.sub(r"@([a-z_]+)@", lambda match: variables.get(match[1], match[0]), text)


def _refuse_bad_versions(software: Software) -> None:
    problems = [
        Problem(
            place="software",
            path=f"software.{field}",
            message="not a version the mirror can build",
            expected=f"at least {least} numbers with dots",
            found=getattr(software, field),
            next_step="write the version as the vendor does, without epoch or package revision",
            code="twin.bad_version",
        )
        for field, least in PARTS.items()
        if getattr(software, field)
        and (not DIGITS.fullmatch(getattr(software, field)) or len(getattr(software, field).split(".")) < least)
    ]
    if problems:
        raise ProblemsError(problems)


@cache
def _families() -> tuple[Family, ...]:
    return tuple(
        Family.model_validate(yaml_text.load(path.read_text())) for path in sorted((FOLDER / "packages").glob("*.yaml"))
    )
