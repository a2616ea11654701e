"""The configuration of containerd as it comes together from its main file and imports.

containerd 1 takes the whole section of a plug-in from the last file that has it
(containerd/containerd#5837), containerd 2 merges tables (containerd/containerd#9982): that is what roles have to cope with.

Source: containerd/containerd, issues 5837 and 9982 as above, docs/PLUGINS.md.
"""

from __future__ import annotations

import glob
import os
import tomllib
from typing import Any

MAIN = "/etc/containerd/config.toml"
RUNTIME = {"1": "io.containerd.grpc.v1.cri", "2": "io.containerd.cri.v1.runtime"}
FORMATS = {"1": 2, "2": 3}
"""The newest `version` of a configuration file that a release reads."""


def load(path: str, release: str) -> dict[str, Any]:
    """The merged configuration; defaults alone when there is no file. ValueError for a format that the release does not know."""
    major = release.split(".")[0]
    merged: dict[str, Any] = {"version": FORMATS[major], "plugins": {RUNTIME[major]: default()}}
    pending = [path] if os.path.exists(path) else []
    while pending:
        file = pending.pop(0)
        settings = _read(file, major)
        pending += [name for pattern in settings.pop("imports", []) for name in sorted(glob.glob(pattern))]
        _merge(merged, settings, deep=major != "1")
    return merged


def default() -> dict[str, Any]:
    """The configuration of a runtime without any file."""
    options = {"BinaryName": "", "SystemdCgroup": False}
    return {
        "enable_cdi": False,
        "containerd": {"runtimes": {"runc": {"runtime_type": "io.containerd.runc.v2", "options": options}}},
    }


def text(configuration: dict[str, Any], prefix: str = "") -> str:
    """TOML of `configuration`, tables below their own headings as containerd prints them."""
    lines = [f"{key} = {_value(value)}" for key, value in configuration.items() if not isinstance(value, dict)]
    for key, value in configuration.items():
        if isinstance(value, dict):
            name = f"{prefix}{key if key.replace('_', '').isalnum() else repr(key)}"
            lines += ["", f"[{name}]", text(value, f"{name}.").rstrip("\n")]
    return "\n".join(lines) + "\n"


def _read(file: str, major: str) -> dict[str, Any]:
    with open(file, "rb") as content:
        settings = tomllib.load(content)
    if settings.get("version", 1) > FORMATS[major]:
        raise ValueError(f"{file}: expected containerd config version equal to or less than `{FORMATS[major]}`")
    if major == "2" and settings.get("version", 1) < FORMATS[major]:
        settings["plugins"] = {
            RUNTIME["2"] if name == RUNTIME["1"] else name: table for name, table in settings.get("plugins", {}).items()
        }
    settings.pop("version", None)
    return settings


def _merge(into: dict[str, Any], settings: dict[str, Any], *, deep: bool) -> None:
    for key, value in settings.items():
        if key == "plugins" and not deep:
            into["plugins"] |= {name: _with_defaults(name, section) for name, section in value.items()}
        elif isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value, deep=deep)
        else:
            into[key] = value


def _with_defaults(name: str, section: dict[str, Any]) -> dict[str, Any]:
    """`section` merged over the defaults, not over the section that it replaces."""
    base: dict[str, Any] = default() if name in RUNTIME.values() else {}
    _merge(base, section, deep=True)
    return base


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(_value(element) for element in value)}]"
    return str(value) if isinstance(value, (int, float)) else '"' + str(value).replace('"', '\\"') + '"'
