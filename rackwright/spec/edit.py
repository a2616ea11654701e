"""Changes fields of a site in the text of its files; every other character is kept, comments and alignment included."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from rackwright.spec.assembly import DEFAULTS
from rackwright.spec.fields import Path, show_path
from rackwright.spec.tree import YamlNode

_COMMENT = re.compile(r"( +)#")
_WIDE = 10**6
"""Columns: a value is written on one line."""


class NotEditableError(ValueError):
    """A field that cannot be changed in place; the text says which and why."""


@dataclass(frozen=True)
class FieldEdit:
    """A field and its new value; an index one past the end of a list appends an entry."""

    path: Path
    value: Any


@dataclass(frozen=True)
class _Splice:
    """Replaces the characters from `start` to `end` of a file by `text`."""

    file: str
    start: int
    end: int
    text: str


def edited(root: YamlNode, texts: Mapping[str, str], edits: Sequence[FieldEdit]) -> dict[str, str]:
    """The new text of each file that `edits` change; `texts` are those from which `root` was parsed.

    A field that comes from the defaults or an alias is written into the entry itself. Raises `NotEditableError`.
    """
    defaults = root.value.get(DEFAULTS)
    shared = set(_idents(defaults)) if defaults else set()
    splices = [_splice(root, texts, edit, shared) for edit in edits]
    result: dict[str, str] = {}
    ordered = sorted(splices, key=lambda splice: (splice.file, splice.start), reverse=True)
    for splice, behind in zip(ordered, [None, *ordered], strict=False):
        if behind and behind.file == splice.file and splice.end > behind.start:
            raise NotEditableError(f"two changes meet in {splice.file}")
        text = result.get(splice.file, texts[splice.file])
        result[splice.file] = text[: splice.start] + splice.text + text[splice.end :]
    return result


def value_text(value: Any) -> str:
    """A value as it is written on one line of a site file."""
    text = yaml.safe_dump(value, default_flow_style=True, width=_WIDE, sort_keys=False, allow_unicode=True)
    return text.removesuffix("\n").removesuffix("\n...")


def _idents(node: YamlNode) -> Iterator[int]:
    yield id(node)
    for child in node.children:
        yield from _idents(child)


def _splice(root: YamlNode, texts: Mapping[str, str], edit: FieldEdit, shared: set[int]) -> _Splice:
    node, depth = root, 0
    for step in edit.path:
        child = _child(node, step)
        if child is None or id(child) in shared or not _stands_in(node, child):
            break
        node, depth = child, depth + 1
    rest = edit.path[depth:]
    if not rest:
        return _replaced(node, texts[node.file], edit)
    value = edit.value
    for step in reversed(rest[1:]):
        if isinstance(step, int):
            raise NotEditableError(f"{show_path(edit.path)} is not written where it could be changed")
        value = {step: value}
    if isinstance(node.value, dict) and isinstance(rest[0], str):
        return _inserted(node, texts[node.file], f"{rest[0]}: {value_text(value)}", edit)
    if isinstance(node.value, list) and rest[0] == len(node.value):
        return _inserted(node, texts[node.file], value_text(value), edit)
    raise NotEditableError(f"{show_path(edit.path)} is not written where it could be changed")


def _child(node: YamlNode, step: str | int) -> YamlNode | None:
    if isinstance(node.value, dict):
        return node.value.get(step)
    if isinstance(node.value, list) and isinstance(step, int) and step < len(node.value):
        child: YamlNode = node.value[step]
        return child
    return None


def _stands_in(node: YamlNode, child: YamlNode) -> bool:
    """Whether `child` is written inside `node` or in another part of the site, and does not come from an alias or a merged mapping."""
    return child.start >= 0 and (child.file != node.file or node.start <= child.start <= _end(node))


def _end(node: YamlNode) -> int:
    """Offset after the last character of a value; for a block, after its last entry, without the comments that follow."""
    if node.flow or not isinstance(node.value, (dict, list)):
        return node.end
    return max((_end(child) for child in node.children if child.file == node.file), default=node.end)


def _replaced(node: YamlNode, text: str, edit: FieldEdit) -> _Splice:
    """The value in its place; a comment behind it keeps its column where there is room."""
    if isinstance(node.value, (dict, list)) and not node.flow:
        raise NotEditableError(f"{show_path(edit.path)} is written over several lines")
    start, end, new = node.start, node.end, value_text(edit.value)
    comment = _COMMENT.match(text, end)
    if start == end:  # a key without a value
        new = f" {new}"
    if comment:
        spaces = max(len(comment[1]) + (end - start) - len(new), min(2, len(comment[1])))
        return _Splice(node.file, start, end + len(comment[1]), new + " " * spaces)
    return _Splice(node.file, start, end, new)


def _inserted(node: YamlNode, text: str, entry: str, edit: FieldEdit) -> _Splice:
    """A further entry of a mapping or a list, behind its last in this file."""
    inside = [child for child in node.children if _stands_in(node, child) and child.file == node.file]
    if node.flow:
        if not inside:
            return _Splice(node.file, node.start + 1, node.end - 1, entry)
        at = max(_end(child) for child in inside)
        return _Splice(node.file, at, at, f", {entry}")
    if not inside or node.start < 0:
        raise NotEditableError(f"{show_path(edit.path)} is not written where it could be changed")
    indent = node.start - (text.rfind("\n", 0, node.start) + 1)
    dash = "- " if isinstance(node.value, list) else ""
    return _new_line(node.file, text, max(_end(child) for child in inside), " " * indent + dash + entry)


def _new_line(file: str, text: str, behind: int, line: str) -> _Splice:
    """`line` as a line of its own behind the one that ends a value."""
    newline = "\r\n" if "\r\n" in text else "\n"
    at = text.find("\n", behind)
    if at < 0:
        return _Splice(file, len(text), len(text), newline + line)
    return _Splice(file, at + 1, at + 1, line + newline)
