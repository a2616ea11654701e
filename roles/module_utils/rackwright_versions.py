"""Installed packages against the required ones, for every package manager: version patterns, wildcards, holds.

A required package maps to a version pattern (fnmatch), to an empty string for any version, or to ``*`` for any version that is then held; a name with
wildcards matches every installed package under it.
"""

from __future__ import annotations

import fnmatch

from ansible.module_utils.rackwright_act import ActError

HELD_AS_IT_IS = "*"
"""Any version will do, and what is installed stays: nothing to pin, nothing to ask of the package manager by version."""


def has_wildcard(name):
    """Whether a name matches several installed packages."""
    return any(sign in name for sign in "*?[")


def matches(version, pattern):
    """Whether an installed version satisfies the requirement."""
    return not pattern or fnmatch.fnmatchcase(version, pattern)


def pattern_of(name, version):
    """The version pattern of a package: its own, or that of the wildcard that matches it."""
    if name in version:
        return version[name]
    return next(pattern for glob, pattern in version.items() if has_wildcard(glob) and fnmatch.fnmatchcase(name, glob))


def asked_version(name, version):
    """The version pattern to request from the package manager; empty if any version will do."""
    pattern = pattern_of(name, version)
    return "" if pattern == HELD_AS_IT_IS else pattern


def compare(have, versions):
    """(packages to install, packages to hold). `have`: name -> (version, whether it is held)."""
    names = [name for name in sorted(versions) if not has_wildcard(name)]
    wrong = [name for name in sorted(have) if not matches(have[name][0], pattern_of(name, versions))]
    missing = sorted({*wrong, *(name for name in names if name not in have)})
    unheld = [name for name in sorted(have) if pattern_of(name, versions) and not have[name][1]]
    return missing, unheld


def together(bundles):
    """Package -> pattern over all roles; two roles that disagree are refused."""
    versions, owner = {}, {}
    for bundle, packages in sorted(bundles.items()):
        for name, pattern in packages.items():
            if versions.get(name) and pattern and versions[name] != pattern:
                raise ActError(f"{name} is wanted as {versions[name]} by {owner[name]} and as {pattern} by {bundle}")
            if pattern or name not in versions:
                owner[name] = bundle
            versions[name] = versions.get(name) or pattern or ""
    return versions


def describe(wrong, have, versions):
    """Packages that do not satisfy the requirement, in one line."""
    return ", ".join(
        f"{name} {have[name][0] if name in have else 'missing'} (wanted {pattern_of(name, versions) or 'any'})"
        for name in wrong
    )
