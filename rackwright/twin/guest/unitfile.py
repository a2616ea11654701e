"""Reads systemd unit files: search path, drop-ins, templates, aliases, masks, specifiers.

Nothing here knows whether a unit runs.

Source: systemd.unit(5), systemd.syntax(7) of systemd 252.
"""

from __future__ import annotations

import os
from functools import partial

from . import mountunit

SEARCH = (
    "etc/systemd/system",
    "run/systemd/system",
    "usr/local/lib/systemd/system",
    "lib/systemd/system",
    "usr/lib/systemd/system",
)
SUFFIXES = (".service", ".target", ".socket", ".timer", ".mount", ".path", ".slice", ".device", ".scope", ".swap")


class UnitFile:
    """One unit as its files declare it."""

    __slots__ = ("drop_ins", "load_state", "name", "path", "values")

    def __init__(self, name: str, path: str, load_state: str) -> None:
        self.name = name
        self.path = path
        self.load_state = load_state
        """``loaded``, ``masked`` or ``not-found``."""
        self.drop_ins: list[str] = []
        self.values: dict[tuple[str, str], list[str]] = {}

    def all(self, section: str, key: str) -> list[str]:
        """Every value of `key`, in order, specifiers expanded; an empty assignment has cleared what stood before it."""
        return [expand(self.name, value) for value in self.values.get((section, key), [])]

    def words(self, section: str, key: str) -> list[str]:
        """Every blank-separated word of every value of `key`."""
        return [word for value in self.all(section, key) for word in value.split()]

    def last(self, section: str, key: str, default: str = "") -> str:
        """The last value of `key`."""
        values = self.all(section, key)
        return values[-1] if values else default

    def flag(self, section: str, key: str, *, default: bool = False) -> bool:
        """The last value of `key` as a boolean."""
        value = self.last(section, key).lower()
        return value in ("1", "yes", "true", "on") if value else default


def manager_settings(root: str = "/") -> UnitFile:
    """The [Manager] section of system.conf and its drop-ins (systemd-system.conf(5)): defaults for all units."""
    settings = UnitFile("system.conf", os.path.join(root, "etc/systemd/system.conf"), "loaded")
    folder = os.path.join(root, "etc/systemd/system.conf.d")
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    for path in [settings.path, *(os.path.join(folder, name) for name in names if name.endswith(".conf"))]:
        if os.path.exists(path):
            _read(path, settings)
    return settings


def full_name(name: str) -> str:
    """`name` with its suffix: ``ssh`` is ``ssh.service``."""
    return name if name.endswith(SUFFIXES) else f"{name}.service"


def load(name: str, root: str = "/") -> UnitFile:
    """The unit called `name`, under its real name when `name` is an alias."""
    name = full_name(os.path.basename(name))
    path = find(name, root)
    if path is None:
        return UnitFile(name, "", "not-found")
    if is_mask(path):
        return UnitFile(name, path, "masked")
    target = follow(path, root)
    if os.path.basename(target) != name and "@" not in name:
        name, path = os.path.basename(target), target
    unit = UnitFile(name, path, "loaded")
    _read(target, unit)
    for drop_in in _drop_ins(name, root):
        unit.drop_ins.append(drop_in)
        _read(drop_in, unit)
    if name.endswith(".mount"):
        unit.values |= mountunit.service_values(partial(unit.last, "Mount"))
    return unit


def find(name: str, root: str = "/") -> str | None:
    """The file that declares `name` (for ``a@b.service`` also its template), None when there is none."""
    names = [name, template(name)] if "@" in name else [name]
    for candidate in names:
        for folder in SEARCH:
            path = os.path.join(root, folder, candidate)
            if os.path.lexists(path) and (is_mask(path) or os.path.exists(follow(path, root))):
                return path
    return None


def template(name: str) -> str:
    """``getty@.service`` for ``getty@tty1.service``."""
    stem, suffix = os.path.splitext(name)
    return f"{stem.partition('@')[0]}@{suffix}"


def is_mask(path: str) -> bool:
    """A link to /dev/null, or an empty file, masks the unit."""
    if os.path.islink(path):
        return os.readlink(path) == "/dev/null"
    return os.path.isfile(path) and os.path.getsize(path) == 0


def follow(path: str, root: str) -> str:
    """The file that a link below `root` leads to."""
    for _ in range(8):
        if not os.path.islink(path):
            return path
        target = os.readlink(path)
        path = os.path.join(root, target.lstrip("/")) if target.startswith("/") else _resolve_beside(path, target)
    return path


def _resolve_beside(path: str, target: str) -> str:
    return os.path.normpath(os.path.join(os.path.dirname(path), target))


def _drop_ins(name: str, root: str) -> list[str]:
    names = [name] if "@" not in name else [template(name), name]
    paths: dict[str, str] = {}
    for folder in reversed(SEARCH):
        for each in names:
            directory = os.path.join(root, folder, f"{each}.d")
            if os.path.isdir(directory):
                files = [file for file in os.listdir(directory) if file.endswith(".conf")]
                paths.update((file, os.path.join(directory, file)) for file in files)
    return [paths[file] for file in sorted(paths)]


def _read(path: str, unit: UnitFile) -> None:
    section = ""
    for line in _logical_lines(path):
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        elif "=" in line:
            key, _, value = line.partition("=")
            slot = unit.values.setdefault((section, key.strip()), [])
            if value.strip():
                slot.append(value.strip())
            else:
                slot.clear()


def _logical_lines(path: str) -> list[str]:
    lines: list[str] = []
    carried = ""
    with open(path, encoding="utf-8", errors="replace") as file:
        for raw in file:
            line = raw.strip()
            if not line or line[0] in "#;":
                continue
            if line.endswith("\\"):
                carried += line[:-1] + " "
                continue
            lines.append(carried + line)
            carried = ""
    return [*lines, carried.strip()] if carried.strip() else lines


def expand(name: str, value: str) -> str:
    """`value` with systemd's specifiers for the unit `name` (systemd.unit(5), "Specifiers")."""
    if "%" not in value:
        return value
    stem = name.rsplit(".", 1)[0]
    prefix, _, instance = stem.partition("@")
    table = {
        "n": name,
        "N": stem,
        "p": prefix,
        "i": instance,
        "I": instance.replace("-", "/"),
        "t": "/run",
        "S": "/var/lib",
        "L": "/var/log",
        "C": "/var/cache",
        "E": "/etc",
        "H": os.uname().nodename,
        "u": "root",
        "U": "0",
        "h": "/root",
        "%": "%",
    }
    head, *rest = value.replace("%%", "\0").split("%")
    parts = [table.get(part[:1], f"%{part[:1]}") + part[1:] for part in rest]
    return (head + "".join(parts)).replace("\0", "%")
