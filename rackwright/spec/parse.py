"""From YAML text to a tree with line numbers, or every reason why it cannot be read.

Built from parser events instead of PyYAML's composer, because the composer overflows the stack on deep nesting, expands
alias bombs and runs constructors for tags. Scalars follow the YAML 1.2 core schema: ``yes`` and ``12:30`` are text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import yaml

from rackwright.base.errors import Problem, ProblemsError
from rackwright.spec.scalar import RefusedScalarError, parse_scalar
from rackwright.spec.tree import YamlNode, kind_name

MAX_DEPTH = 32
"""A site file nests 6 deep."""
MAX_VALUES = 200_000
"""Values after aliases are written out."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_EXAMPLE = "start from inventories/h100-pod/site.yaml"
_KEYS = "a mapping with apiVersion, site, facility ..."


def parse_yaml(text: str, file: str) -> tuple[YamlNode, list[Problem]]:
    """The only document of `text` as a tree, and problems of its values (tags, duplicate keys, huge numbers).

    Raises `ProblemsError` if there is no tree: a syntax error, an empty file, no mapping.
    """
    builder = _Builder(file)
    try:
        root = builder.document(iter(yaml.parse(text, Loader=_LOADER)))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        why = " ".join(detail for detail in (error.context, error.problem) if detail)
        builder.note(mark.line + 1 if mark else 1, "spec.yaml_syntax", *_syntax(why))
    except yaml.YAMLError as error:
        builder.note(1, "spec.yaml_syntax", *_syntax(str(error).splitlines()[0]))
    else:
        return root, builder.problems
    raise ProblemsError(builder.problems)


def _syntax(why: str) -> tuple[str, str, str, str]:
    return "the file is not valid YAML", "a YAML mapping", why, "mend this line, or the one above it"


class _Builder:
    """Turns events into nodes and collects what is refused on the way."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.anchors: dict[str, tuple[YamlNode, int, int]] = {}
        """Anchor -> node, values in it, levels in it."""
        self.values = 0

    def document(self, events: Iterator[Any]) -> YamlNode:
        root: YamlNode | None = None
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent) and root is not None:
                self._stop(event, "spec.two_documents", "a second YAML document starts here", "one document", "two")
            if isinstance(event, yaml.NodeEvent):
                root = self._node(event, events, 1)
        if root is None or root.value is None:
            self.note(root.line if root else 1, "spec.empty", "the file is empty", _KEYS, "nothing", _EXAMPLE)
            raise ProblemsError(self.problems)
        if not isinstance(root.value, dict):
            actual = kind_name(root.value)
            self.note(root.line, "spec.not_a_mapping", "the file does not hold a mapping", _KEYS, actual, _EXAMPLE)
            raise ProblemsError(self.problems)
        return root

    def note(self, line: int, code: str, message: str, expected: str, actual: str, next_step: str) -> None:
        """Records a problem and continues."""
        self.problems.append(Problem(f"{self.file}:{line}", "", message, expected, actual, next_step, code))

    def _node(self, event: Any, events: Iterator[Any], depth: int) -> YamlNode:
        line = event.start_mark.line + 1
        self._count(event, 1, depth)
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event, line, depth)
        before = self.values
        if isinstance(event, yaml.ScalarEvent):
            problems_before = len(self.problems)
            node = YamlNode(line, self._scalar(event, line), file=self.file)
            node.end = _offset(event.end_mark)
            node.refused = len(self.problems) > problems_before
        elif isinstance(event, yaml.SequenceStartEvent):
            self._check_tag(event, line)
            node = self._items(events, line, depth)
        else:
            self._check_tag(event, line)
            node = self._mapping(events, line, depth)
        node.start = _offset(event.start_mark)
        node.flow = bool(getattr(event, "flow_style", False))
        if event.anchor:
            self.anchors[event.anchor] = (node, self.values - before + 1, _levels(node))
        return node

    def _items(self, events: Iterator[Any], line: int, depth: int) -> YamlNode:
        node = YamlNode(line, [], file=self.file)
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            node.value.append(self._node(event, events, depth + 1))
        node.end = _offset(event.end_mark)
        return node

    def _mapping(self, events: Iterator[Any], line: int, depth: int) -> YamlNode:
        node = YamlNode(line, {}, file=self.file)
        merged = YamlNode(line, {})
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            key = self._node(event, events, depth + 1)
            value = self._node(next(events), events, depth + 1)
            if key.value == "<<" and isinstance(value.value, dict):
                merged.value |= value.value
                merged.keys |= value.keys
            else:
                self._put(node, key, value)
        node.end = _offset(event.end_mark)
        node.value = merged.value | node.value
        node.keys = merged.keys | node.keys
        return node

    def _put(self, node: YamlNode, key: YamlNode, value: YamlNode) -> None:
        word = str(key.value)
        if key.refused:
            return
        if isinstance(key.value, (list, dict)):
            self.note(key.line, "spec.bad_key", "a key must be a word", "a word", kind_name(key.value), "name the key")
        elif word in node.value:
            lines = f"lines {node.keys[word]} and {key.line}"
            self.note(key.line, "spec.duplicate_key", f"key {word} stands twice", "every key once", lines, "keep one")
        else:
            node.value[word] = value
            node.keys[word] = key.line

    def _alias(self, event: Any, line: int, depth: int) -> YamlNode:
        if event.anchor not in self.anchors:
            anchor = f"&{event.anchor} on a finished value above"
            self._stop(event, "spec.unknown_alias", f"*{event.anchor} refers to nothing", anchor, "no such anchor")
        node, values, levels = self.anchors[event.anchor]
        self._count(event, values, depth + levels)
        return YamlNode(line, node.value, node.keys, file=self.file)

    def _scalar(self, event: Any, line: int) -> Any:
        if not event.value.isprintable():
            step = "write plain text on one line"
            self.note(
                line, "spec.not_text", "control characters in a value", "printable text", ascii(event.value)[:40], step
            )
        if event.tag == "tag:yaml.org,2002:str" or not event.implicit[0]:
            if event.tag != "tag:yaml.org,2002:str":
                self._check_tag(event, line)
            return event.value
        try:
            return parse_scalar(event.value)
        except RefusedScalarError as refused:
            step = "write a number that a machine can have"
            self.note(line, refused.code, str(refused), refused.expected, event.value[:40], step)
            return None

    def _check_tag(self, event: Any, line: int) -> None:
        if event.tag and event.tag != "!":
            tag = event.tag.replace("tag:yaml.org,2002:", "!!")
            self.note(
                line, "spec.tag", "YAML tags have no meaning in a site file", "a plain value", tag, f"remove {tag}"
            )

    def _count(self, event: Any, values: int, depth: int) -> None:
        self.values += values
        if self.values > MAX_VALUES:
            limit = f"at most {MAX_VALUES} values, aliases written out"
            self._stop(event, "spec.too_large", "the file holds too much", limit, "more than that")
        if depth > MAX_DEPTH:
            self._stop(event, "spec.too_deep", "values are nested too deeply", f"at most {MAX_DEPTH} levels", "more")

    def _stop(self, event: Any, code: str, message: str, expected: str, actual: str) -> NoReturn:
        line = event.start_mark.line + 1
        self.note(line, code, message, expected, actual, f"write it out plainly; {_EXAMPLE}")
        raise ProblemsError(self.problems)


def _offset(mark: Any) -> int:
    """Where a mark is in the text, in characters from 0."""
    return int(mark.index)


def _levels(node: YamlNode) -> int:
    return 1 + max((_levels(child) for child in node.children), default=0)
