"""Reads YAML by the parser of libyaml, which takes a tenth of the time of PyYAML's default one."""

from __future__ import annotations

from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""PyYAML may have been built without libyaml."""


def load(text: str) -> Any:
    """The content of a YAML document of plain values. Raises yaml.YAMLError; its mark says the line."""
    return yaml.load(text, Loader=_LOADER)  # noqa: S506 - both are safe loaders
