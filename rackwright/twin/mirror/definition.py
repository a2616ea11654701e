"""The packages of the twin's mirror, as data; nothing is built here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from rackwright.base.content import Roots
from rackwright.base.errors import Problem, ProblemsError
from rackwright.model.site import Software
from rackwright.model.software import BASES
from rackwright.twin import systems
from rackwright.twin.mirror import families
from rackwright.twin.mirror.families import Family, PackageDefinition
from rackwright.twin.mirror.releases import drivers, of_a_release, releases

__all__ = ["drivers", "kernel_releases", "kernels", "module_version", "packages", "run_files", "substitute", "versions"]
DIGITS = re.compile(r"\d+(\.\d+){0,3}")
PARTS = {"driver": 2, "fabric_manager": 2, "dcgm": 3, "cuda": 2, "nccl": 3, "container_toolkit": 3}
"""How many numbers a version must have at least, by field of the bill."""


def packages(software: Software, system: str = "", roots: Roots = ()) -> list[PackageDefinition]:
    """Every package of the mirror for `software` on `system` (the site's own by default), in family, version and name order;
    with `roots` those that the site brings as well (``twin/packages``).

    Raises `ProblemsError` with one problem per invalid version of the bill, and for an unknown system.
    """
    _refuse_bad_versions(software)
    return [package for package in _all_packages(software, system, roots) if not package.run_file]


def run_files(software: Software, roots: Roots = ()) -> list[PackageDefinition]:
    """The vendor files of the mirror that are no packages; each is served under its name below ``/files``."""
    every = [package for system in systems.of_the_site(software) for package in _all_packages(software, system, roots)]
    return list({package.name: package for package in every if package.run_file}.values())


def _all_packages(software: Software, system: str, roots: Roots) -> list[PackageDefinition]:
    declared = system or software.system
    name = BASES.get(declared, declared)
    table = systems.load(name)
    common = table.variables
    return [
        package
        for family in (*families.shipped(), *families.of_site(roots))
        if name in (family.systems or [name])
        for variables in releases(family, software, declared)
        for package in _fill(
            family, {**common, "suite": family.suites.get(name, common["system_version"]), **variables}
        )
        if package.run_file or _system_offers(family, table)
    ]


def _system_offers(family: Family, system: systems.HostSystem) -> bool:
    """Whether the repositories of `system` carry the packages of a family; vendor files are the same everywhere."""
    return bool(family.systems) or system.packager in family.packagers


def versions(software: Software, system: str = "", roots: Roots = ()) -> dict[str, list[str]]:
    """The versions on offer for `system`, oldest family release first, by package name."""
    offered: dict[str, list[str]] = {}
    for package in packages(software, system, roots):
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
    special = next(each.special for each in families.shipped() if each.family == family)
    return of_a_release(release, special)["version"]


def package_version(family: str, release: str) -> str:
    """The version of the packages that bring `release`, as the vendor's archive writes it."""
    of = next(each for each in families.shipped() if each.family == family)
    return substitute(of.package_version, of_a_release(release, of.special))


@cache
def kernel_releases(system: str, *, fresh: bool = True) -> dict[str, dict[str, str]]:
    """Variables of the kernels of `system` by release, oldest first; `fresh` for those alone that a node may come with."""
    base = BASES.get(system, system)
    kernel = next(each for each in families.shipped() if each.family == "kernel" and base in each.systems)
    of_system = releases(kernel, Software.model_construct(apt_mirror=""), system)
    return {each["release"]: each for each in of_system if not (fresh and each.get("fresh") == "no")}


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
