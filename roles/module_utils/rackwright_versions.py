"""What a host has against what is wanted, for every package manager: version patterns, wildcards, holds. A wanted package maps to a version pattern (fnmatch), to
an empty string for any version, or to ``*`` for any version that is then held; a name with wildcards stands for whatever is installed
under it.
"""

from __future__ import annotations

import fnmatch

from ansible.module_utils.rackwright_act import ActError

HELD_AS_IT_IS = "*"
"""Any version will do, and what is installed stays: nothing to pin, nothing to ask of the package manager by version."""


def has_wildcard(name):
    """Whether a name stands for whatever is installed under it."""
    return any(sign in name for sign in "*?[")


def matches(version, pattern):
    """Whether an installed version is what is wanted."""
    return not pattern or fnmatch.fnmatchcase(version, pattern)


def pattern_of(name, wanted):
    """The version pattern of an installed package: its own, or that of the wildcard that it falls under."""
    if name in wanted:
        return wanted[name]
    return next(pattern for glob, pattern in wanted.items() if has_wildcard(glob) and fnmatch.fnmatchcase(name, glob))


def asked_version(name, wanted):
    """The version pattern to ask the package manager for, empty when any will do."""
    pattern = pattern_of(name, wanted)
    return "" if pattern == HELD_AS_IT_IS else pattern


def compare(have, wanted):
    """(packages to install, packages to hold). `have`: name -> (version, whether it is held)."""
    asked = [name for name in sorted(wanted) if not has_wildcard(name)]
    wrong = [name for name in sorted(have) if not matches(have[name][0], pattern_of(name, wanted))]
    missing = sorted({*wrong, *(name for name in asked if name not in have)})
    unheld = [name for name in sorted(have) if pattern_of(name, wanted) and not have[name][1]]
    return missing, unheld


def together(bundles):
    """Package -> pattern over all roles; two roles that disagree are refused."""
    wanted, owner = {}, {}
    for bundle, packages in sorted(bundles.items()):
        for name, pattern in packages.items():
            if wanted.get(name) and pattern and wanted[name] != pattern:
                raise ActError(f"{name} is wanted as {wanted[name]} by {owner[name]} and as {pattern} by {bundle}")
            if pattern or name not in wanted:
                owner[name] = bundle
            wanted[name] = wanted.get(name) or pattern or ""
    return wanted


def said(wrong, have, wanted):
    """Packages that are not as wanted, in one line."""
    return ", ".join(
        f"{name} {have[name][0] if name in have else 'missing'} (wanted {pattern_of(name, wanted) or 'any'})"
        for name in wrong
    )
