"""Enables, disables, masks and unmasks units: the links below /etc/systemd/system, as systemctl(1) makes them.

It shares these links with deb-systemd-helper of package scripts.

Source: systemctl(1), systemd.preset(5) of systemd 252; deb-systemd-helper of init-system-helpers.
"""

from __future__ import annotations

import os

from . import unitfile

ETC = "etc/systemd/system"
_TARGET_KEYS = (("WantedBy", "wants"), ("RequiredBy", "requires"))


def state(name: str, root: str = "/") -> str:
    """What ``systemctl is-enabled`` prints; an empty word when there is no such unit."""
    name = unitfile.full_name(name)
    path = unitfile.find(name, root)
    if path is None:
        return ""
    if unitfile.is_mask(path):
        return "masked-runtime" if path.startswith(os.path.join(root, "run")) else "masked"
    unit = unitfile.load(name, root)
    if unit.name != name and "@" not in name:
        return "alias"
    links = _wanting_units(unit, name)
    if not links and not unit.words("Install", "Also"):
        return "static"
    if any(os.path.lexists(os.path.join(root, ETC, link)) for link in links):
        return "enabled"
    return "disabled" if links else "indirect"


def enable(name: str, root: str = "/") -> list[str]:
    """Make the links that [Install] asks for."""
    unit = unitfile.load(name, root)
    requested = unitfile.full_name(name)
    target = unit.path if "@" not in requested else unitfile.find(unitfile.template(requested), root) or unit.path
    inside = "/" + os.path.relpath(target, root)
    lines = []
    for link in _wanting_units(unit, requested):
        path = os.path.join(root, ETC, link)
        if os.path.islink(path) and os.readlink(path) == inside:
            continue
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.lexists(path):
            os.unlink(path)
        os.symlink(inside, path)
        lines.append(f"Created symlink /{ETC}/{link} \u2192 {inside}.")
    for also in unit.words("Install", "Also"):
        if unitfile.full_name(also) != unit.name and unitfile.find(unitfile.full_name(also), root):
            lines += enable(also, root)
    return lines


def disable(name: str, root: str = "/") -> list[str]:
    """Remove every link below /etc/systemd/system that leads to the unit."""
    requested = unitfile.full_name(name)
    unit = unitfile.load(requested, root)
    names = {requested, unit.name, *unit.words("Install", "Alias")}
    lines = []
    for folder, _, files in os.walk(os.path.join(root, ETC)):
        for file in files:
            path = os.path.join(folder, file)
            if os.path.islink(path) and file in names and os.readlink(path) != "/dev/null":
                os.unlink(path)
                lines.append(f'Removed "/{os.path.relpath(path, root)}".')
    return lines


def mask(name: str, root: str = "/") -> list[str]:
    """Link the unit to /dev/null; OSError when a unit file of the administrator stands there."""
    name = unitfile.full_name(name)
    path = os.path.join(root, ETC, name)
    if os.path.lexists(path) and unitfile.is_mask(path):
        return []
    if os.path.isfile(path) and not os.path.islink(path):
        raise FileExistsError(f"Failed to mask unit: File {path} already exists.")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.islink(path):
        os.unlink(path)
    os.symlink("/dev/null", path)
    return [f"Created symlink /{ETC}/{name} \u2192 /dev/null."]


def unmask(name: str, root: str = "/") -> list[str]:
    """Remove a link to /dev/null."""
    name = unitfile.full_name(name)
    lines = []
    for folder in unitfile.SEARCH[:2]:
        path = os.path.join(root, folder, name)
        if os.path.lexists(path) and unitfile.is_mask(path):
            os.unlink(path)
            lines.append(f'Removed "/{folder}/{name}".')
    return lines


def wanted_by(target: str, root: str = "/") -> list[str]:
    """The units that `target` pulls in through ``.wants`` and ``.requires`` folders, in name order."""
    names: set[str] = set()
    for folder in unitfile.SEARCH:
        for kind in ("wants", "requires"):
            directory = os.path.join(root, folder, f"{target}.{kind}")
            if os.path.isdir(directory):
                names.update(os.listdir(directory))
    return sorted(names)


def names(root: str = "/") -> list[str]:
    """Every unit file there is, by name."""
    units: set[str] = set()
    for folder in unitfile.SEARCH:
        directory = os.path.join(root, folder)
        if os.path.isdir(directory):
            units.update(name for name in os.listdir(directory) if name.endswith(unitfile.SUFFIXES))
    return sorted(units)


def _wanting_units(unit: unitfile.UnitFile, requested: str) -> list[str]:
    name = requested if "@" in requested else unit.name
    if name.partition("@")[2].startswith("."):
        default = unit.last("Install", "DefaultInstance")
        name = name.replace("@.", f"@{default}.") if default else name
    links = [f"{target}.{kind}/{name}" for key, kind in _TARGET_KEYS for target in unit.words("Install", key)]
    return links + [alias for alias in unit.words("Install", "Alias") if alias != name]
