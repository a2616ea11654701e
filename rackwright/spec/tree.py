"""A YAML value with its file and line: `parse` builds it and everything else in `spec` reads it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class YamlNode:
    """A value with the line that it starts on and the file. `value` is a scalar, a list of nodes or a dict of nodes."""

    line: int
    value: Any
    keys: dict[str, int] = field(default_factory=dict)
    """Line of each key of a mapping."""
    refused: bool = False
    """True when the parser has already reported what is wrong with it."""
    file: str = ""
    start: int = -1
    """Offset of its first character in the file; -1 for what is written elsewhere (an alias)."""
    end: int = -1
    """Offset behind its last character; of a block of lines behind what ends it."""
    flow: bool = False
    """Whether a list or a mapping is written in brackets."""

    @property
    def children(self) -> list[YamlNode]:
        """The values inside a list or a mapping."""
        if isinstance(self.value, dict):
            return list(self.value.values())
        return self.value if isinstance(self.value, list) else []

    def plain(self) -> Any:
        """The bare data."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def find(self, path: Sequence[str | int]) -> tuple[YamlNode, int]:
        """The value at `path`, or at its nearest existing parent, and the line to look at."""
        node, line = self, self.line
        for step in path:
            if isinstance(node.value, dict) and step in node.value:
                line = node.keys[str(step)]
                node = node.value[step]
            elif isinstance(node.value, list) and isinstance(step, int) and step < len(node.value):
                node = node.value[step]
                line = node.line
            else:
                break
        return node, line

    def line_of(self, path: Sequence[str | int]) -> int:
        """Line of the field at `path`, or of its nearest existing parent."""
        return self.find(path)[1]

    def place_of(self, path: Sequence[str | int]) -> str:
        """``file:line`` of the field at `path`, or of its nearest existing parent; a file may include others."""
        node, line = self.find(path)
        return f"{node.file}:{line}"


def kind_name(value: Any) -> str:
    """The kind of a value, in words."""
    names = {dict: "a mapping", list: "a list", str: "text", bool: "true or false", type(None): "nothing"}
    return names.get(type(value), "a number")
