"""Reads YAML with the parser of libyaml, which takes a tenth of the time of PyYAML's default one."""

from __future__ import annotations

import re
from typing import Any

import yaml

SAFE_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""PyYAML may have been built without libyaml."""
MOST_DEPTH = 1000
"""Largest nesting.

The composer of libyaml recurses for each level and overflows the stack of the process at some 30,000 (PyYAML 6.0.3,
tried 2026-11-23).
"""
_INDENT = re.compile(r"^[ \t?:-]*", re.MULTILINE)


def load(text: str) -> Any:
    """The content of a YAML document of plain values. Raises yaml.YAMLError with the line in its mark."""
    refuse_depth(text)
    return yaml.load(text, Loader=SAFE_LOADER)  # noqa: S506 - both are safe loaders


def refuse_depth(text: str) -> None:
    """Raises yaml.YAMLError for a document that would overflow the stack when it is composed."""
    brackets = text.count("[") + text.count("{")
    if brackets <= MOST_DEPTH and len(max(_INDENT.findall(text), key=len)) <= MOST_DEPTH - brackets:
        return
    depth = 0
    for event in yaml.parse(text, Loader=SAFE_LOADER):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MOST_DEPTH:
            line = event.start_mark.line + 1 if event.start_mark else 1
            raise yaml.YAMLError(f"line {line}: it nests deeper than {MOST_DEPTH} levels")
