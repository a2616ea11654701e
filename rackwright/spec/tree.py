"""YAML with line numbers: text becomes a tree of nodes that remember where they stood.

Built from parser events instead of PyYAML's composer, because the composer overflows the stack on deep nesting, expands
alias bombs and runs constructors for tags. Scalars follow the YAML 1.2 core schema: ``yes`` and ``12:30`` are text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from rackwright.errors import Problem, ProblemsError
from rackwright.spec.scalar import Refused, scalar

MAX_DEPTH = 32
"""A site file nests 6 deep."""
MAX_NODES = 200_000
"""Values after aliases are written out."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass
class Node:
    """A value and the line it starts on. `value` is a scalar, a list of nodes, or a dict from key to (key line, node)."""

    line: int
    value: Any
    size: int = 1
    keys: dict[str, int] = field(default_factory=dict)
    """Line of each key of a mapping."""

    def plain(self) -> Any:
        """The bare data."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value

    def line_of(self, path: Sequence[str | int]) -> int:
        """Line of the field at `path`, or of the nearest thing above it that exists."""
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
        return line


def parse(text: str, file: str) -> Node:
    """The only document of `text` as a tree. Raises `ProblemsError` for everything that is not plain YAML."""
    builder = _Builder(file)
    try:
        root = builder.document(iter(yaml.parse(text, Loader=_LOADER)))
    except yaml.MarkedYAMLError as error:
        raise ProblemsError([*builder.problems, _syntax(file, error)]) from error
    except yaml.YAMLError as error:
        raise ProblemsError([*builder.problems, _problem(file, 1, *_SYNTAX, str(error).splitlines()[0])]) from error
    if builder.problems:
        raise ProblemsError(builder.problems)
    return root


_SYNTAX = ("spec.yaml_syntax", "the file is not valid YAML", "one YAML mapping", "mend the line, or the one above it")


class _Builder:
    """Turns events into nodes and collects what is refused on the way."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.anchors: dict[str, Node] = {}
        self.size = 0

    def document(self, events: Iterator[yaml.Event]) -> Node:
        root: Node | None = None
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent) and root is not None:
                self._stop(event, "spec.two_documents", "the file holds a second YAML document", "one document", "---")
            if isinstance(event, yaml.NodeEvent):
                root = self._node(event, events, 0)
        if root is None or (root.value is None and not root.keys):
            line = root.line if root else 1
            raise ProblemsError([_problem(self.file, line, *_EMPTY)])
        if not isinstance(root.value, dict):
            raise ProblemsError([_problem(self.file, root.line, *_NOT_MAPPING, _kind(root.value))])
        return root

    def _node(self, event: yaml.NodeEvent, events: Iterator[yaml.Event], depth: int) -> Node:
        line = event.start_mark.line + 1
        self.size += 1
        if depth > MAX_DEPTH:
            self._stop(event, "spec.too_deep", "the file nests too deeply", f"at most {MAX_DEPTH} levels", "more")
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event, line)
        if isinstance(event, yaml.ScalarEvent):
            node = Node(line, self._scalar(event, line))
        elif isinstance(event, yaml.SequenceStartEvent):
            self._check_tag(event, line)
            node = self._sequence(events, line, depth)
        else:
            self._check_tag(event, line)
            node = self._mapping(events, line, depth)
        if event.anchor:
            self.anchors[event.anchor] = node
        return node

    def _sequence(self, events: Iterator[yaml.Event], line: int, depth: int) -> Node:
        items = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            items.append(self._node(event, events, depth + 1))
        return Node(line, items, 1 + sum(item.size for item in items))

    def _mapping(self, events: Iterator[yaml.Event], line: int, depth: int) -> Node:
        node = Node(line, {})
        merged: dict[str, Node] = {}
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            key_line = event.start_mark.line + 1
            key_node = self._node(event, events, depth + 1)
            value = self._node(next(events), events, depth + 1)
            key = key_node.value
            if key == "<<" and isinstance(value.value, dict):
                merged.update(value.value)
            elif isinstance(key, (list, dict)):
                self._add(key_line, "spec.bad_key", "a key must be a word", "a word", _kind(key), "name the key")
            elif str(key) in node.value:
                text = f"{key} in line {node.keys[str(key)]} and in line {key_line}"
                self._add(key_line, "spec.duplicate_key", f"key {key} stands twice", "every key once", text, "keep one")
            else:
                node.value[str(key)] = value
                node.keys[str(key)] = key_line
            node.size += value.size
        for key, value in merged.items():
            if key not in node.value:
                node.value[key] = value
                node.keys[key] = value.line
        return node

    def _alias(self, event: yaml.AliasEvent, line: int) -> Node:
        node = self.anchors.get(event.anchor)
        if node is None:
            self._stop(
                event, "spec.unknown_alias", f"*{event.anchor} has no anchor above it", f"&{event.anchor} above", "none"
            )
        self.size += node.size
        if self.size > MAX_NODES:
            self._stop(
                event, "spec.alias_bomb", "aliases multiply the file", f"at most {MAX_NODES} values", "more than that"
            )
        return Node(line, node.value, node.size, node.keys)

    def _scalar(self, event: yaml.ScalarEvent, line: int) -> Any:
        quoted = event.tag == "tag:yaml.org,2002:str" or (event.tag is None and not event.implicit[0])
        if not quoted:
            self._check_tag(event, line)
        try:
            return event.value if quoted else scalar(event.value)
        except Refused as refused:
            self._add(line, refused.code, str(refused), refused.expected, event.value[:40], "write a smaller number")
            return event.value

    def _check_tag(self, event: yaml.NodeEvent, line: int) -> None:
        tag = getattr(event, "tag", None)
        if tag and tag != "!":
            short = tag.replace("tag:yaml.org,2002:", "!!")
            self._add(
                line, "spec.tag", "YAML tags are not used in site files", "a plain value", short, f"remove {short}"
            )

    def _add(self, line: int, code: str, message: str, expected: str, found: str, next_step: str) -> None:
        self.problems.append(_problem(self.file, line, code, message, expected, next_step, found))

    def _stop(self, event: yaml.Event, code: str, message: str, expected: str, found: str) -> Any:
        line = event.start_mark.line + 1
        raise ProblemsError([_problem(self.file, line, code, message, expected, "write the file out plainly", found)])


_STEP = "start from inventories/h100-pod/site.yaml"
_EMPTY = ("spec.empty", "the file is empty", "a mapping with apiVersion, site, facility ...", _STEP, "nothing")
_NOT_MAPPING = ("spec.not_a_mapping", "the file does not hold a mapping", "apiVersion, site, facility ...", _STEP)


def _kind(value: Any) -> str:
    names = {dict: "a mapping", list: "a list", str: "text", bool: "true or false", type(None): "nothing"}
    return names.get(type(value), "a number")


def _syntax(file: str, error: yaml.MarkedYAMLError) -> Problem:
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark else 1
    return _problem(file, line, *_SYNTAX, " ".join(filter(None, [error.context, error.problem])))


def _problem(file: str, line: int, code: str, message: str, expected: str, next_step: str, found: str) -> Problem:
    return Problem(f"{file}:{line}", "", message, expected, found, next_step, code)
