"""Compares packages with the software bill."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import lru_cache

from rackwright.compare.limits import limit, no_limit, words
from rackwright.compare.readings import every, finding
from rackwright.model.check import Expectation
from rackwright.model.evidence.host import Package, Packages
from rackwright.model.verdict import Finding, Outcome


def version_numbers(text: str) -> tuple[int, ...]:
    """A dotted version as numbers that compare; text that is not one compares below everything."""
    return tuple(int(part) for part in re.findall(r"\d+", text))


def upstream_version(package_version: str) -> str:
    """The upstream part of a Debian version: ``1:4.6.0-1`` is ``4.6.0`` (deb-version(7))."""
    return package_version.split(":")[-1].split("-")[0].split("+")[0]


def installed_packages(expectation: Expectation, packages: Packages, component: str) -> dict[str, Package] | None:
    """Packages that carry `component` of the software bill, by name; None if no limit row names them."""
    row = limit(expectation, "software.package", component=component)
    if row is None:
        return None
    patterns = words(row)
    return {name: package for name, package in packages.packages.items() if matches(name, patterns)}


def matches(name: str, patterns: Sequence[str]) -> bool:
    """Whether a package name matches one of `patterns`."""
    return _matches(name, tuple(patterns))


@lru_cache(maxsize=65536)
def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def bill_version(expectation: Expectation, packages_read: Packages, component: str, declared: str) -> Finding:
    """The packages of `component` must be installed in the version that the site declares.

    A declared version with fewer parts than the package's matches its beginning: ``13.0`` is met by ``13.0.2``.
    """
    packages = installed_packages(expectation, packages_read, component)
    if packages is None:
        return no_limit(expectation, f"software.package component {component}")
    source = f"site software.{component}"
    if not packages:
        return finding(
            expectation, Outcome.FAIL, what=component, observed="not installed", expected=declared, source=source
        )
    required = version_numbers(declared)
    readings = {name: upstream_version(package.version) for name, package in packages.items()}
    return every(
        expectation,
        readings,
        lambda installed_version: version_numbers(installed_version)[: len(required)] == required,
        what=f"{component} package",
        expected=declared,
        source=source,
    )


def coupled_versions(packages: Packages, patterns: list[str]) -> dict[str, str | None]:
    """Upstream versions of the installed packages whose names match one of `patterns`, by name."""
    return {
        name: upstream_version(package.version)
        for name, package in packages.packages.items()
        if any(fnmatchcase(name, pattern) for pattern in patterns)
    }
