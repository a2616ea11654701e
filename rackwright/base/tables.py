"""Reads a YAML table (limits, gates, waivers) strictly: every mistake at once, each with its line.

It is below the stages because judge and gate both read such tables and may not import each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Generic, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from rackwright.base import yaml_text
from rackwright.base.errors import Problem, ProblemsError
from rackwright.base.terminal_text import as_line

R = TypeVar("R", bound=BaseModel)
MOST_VALUES = 100_000
"""Limit for a row, with all its aliases expanded: ten that name ten each, thirty times, are more than any memory holds."""


@dataclass(frozen=True)
class TableRow(Generic[R]):
    """A record and its place in the file."""

    record: R
    place: str
    """``file:line``."""


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """YAML without timestamps, so that dates stay text."""


_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def load_tables(path: Path, tables: dict[str, type[Any]]) -> dict[str, list[TableRow[Any]]]:
    """Rows of every table in `path`, by its key in `tables`; a missing key is an empty table.

    Raises ProblemsError for an unreadable file, YAML syntax errors, unknown top-level keys and invalid rows.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise ProblemsError([_problem(str(path), "", "cannot be read", "a YAML file", reason)]) from error
    return {key: list(rows) for key, rows in _parse(path, text, tuple(tables.items()))}


@lru_cache(maxsize=64)
def _parse(
    path: Path, text: str, kinds: tuple[tuple[str, type[Any]], ...]
) -> tuple[tuple[str, tuple[TableRow[Any], ...]], ...]:
    """The tables as tuples, cached by text, because one command judges, gates and reports by the same tables; rows are
    frozen.
    """
    root, tables = _compose(path, text), dict(kinds)
    rows: dict[str, list[TableRow[Any]]] = {key: [] for key in tables}
    problems: list[Problem] = []
    for key_node, value in root.value if root is not None else []:
        place = f"{path}:{key_node.start_mark.line + 1}"
        if key_node.value not in tables:
            problems.append(_problem(place, str(key_node.value), "unknown key", " or ".join(tables), key_node.value))
        elif not isinstance(value, yaml.SequenceNode):
            problems.append(_problem(place, key_node.value, "not a list", "a list of rows", value.tag.rsplit(":")[-1]))
        else:
            table_rows, wrong = _rows(path, key_node.value, value, tables[key_node.value])
            rows[key_node.value] += table_rows
            problems += wrong
    if problems:
        raise ProblemsError(problems)
    return tuple((key, tuple(table_rows)) for key, table_rows in rows.items())


def _compose(path: Path, text: str) -> yaml.MappingNode | None:
    try:
        yaml_text.refuse_depth(text)
        root = yaml.compose(text, Loader=_Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}:{mark.line + 1}" if mark else str(path)
        raise ProblemsError([_problem(place, "", "not YAML", "a YAML mapping", str(error).split("\n")[0])]) from error
    if root is not None and not isinstance(root, yaml.MappingNode):
        raise ProblemsError([_problem(f"{path}:1", "", "not a mapping", "keys with lists", root.tag.rsplit(":")[-1])])
    return root


def _rows(path: Path, key: str, table: yaml.SequenceNode, kind: type[R]) -> tuple[list[TableRow[R]], list[Problem]]:
    rows: list[TableRow[R]] = []
    problems: list[Problem] = []
    written_out: dict[int, float] = {}
    for index, node in enumerate(table.value):
        place = f"{path}:{node.start_mark.line + 1}"
        problems += _repeated_keys(path, f"{key}[{index}]", node)
        if _written_out(node, written_out) > MOST_VALUES:
            expected = f"{MOST_VALUES:,} values at most, written out"
            problems.append(
                _problem(place, f"{key}[{index}]", "names itself, or too much", expected, "aliases (*name)")
            )
            continue
        problems += _texts_of_several_lines(path, f"{key}[{index}]", node, set())
        try:
            loader = _Loader("")
            record = kind.model_validate(loader.construct_document(node))
        except ValidationError as error:
            problems += _validation_problems(path, f"{key}[{index}]", node, error)
        except yaml.YAMLError as error:
            problems.append(_problem(place, f"{key}[{index}]", "not YAML", "plain values", str(error).split("\n")[0]))
        else:
            rows.append(TableRow(record, place))
    return rows, problems


def _repeated_keys(path: Path, at: str, node: yaml.Node) -> Iterable[Problem]:
    """Problems of repeated keys: YAML silently keeps the last of two equal keys."""
    keys: set[str] = set()
    for key, _ in node.value if isinstance(node, yaml.MappingNode) else []:
        if str(key.value) in keys:
            place = f"{path}:{key.start_mark.line + 1}"
            yield _problem(place, f"{at}.{key.value}", "given twice", "each key once", str(key.value))
        keys.add(str(key.value))


def _written_out(node: yaml.Node, sizes: dict[int, float]) -> float:
    """Number of values that a node holds with aliases expanded; infinite if it contains itself, or nests deeper than
    Python can follow. `sizes` is by node.
    """
    if id(node) not in sizes:
        sizes[id(node)] = math.inf
        children = [*chain.from_iterable(node.value)] if isinstance(node, yaml.MappingNode) else node.value
        try:
            inner = 0.0 if isinstance(node, yaml.ScalarNode) else sum(_written_out(child, sizes) for child in children)
        except RecursionError:
            return math.inf
        sizes[id(node)] = 1 + inner
    return sizes[id(node)]


def _texts_of_several_lines(path: Path, at: str, node: yaml.Node, visited: set[int]) -> Iterable[Problem]:
    """Problems of texts with several lines or control characters: texts of tables end up in reasons, schedulers and
    files.
    """
    if id(node) in visited:  # an alias
        return
    visited.add(id(node))
    if isinstance(node, yaml.ScalarNode):
        if (line := as_line(text := node.value.rstrip("\n"))) != text:
            place = f"{path}:{node.start_mark.line + 1}"
            yield _problem(place, at, "not one line", "a line of text without control characters", line)
    elif isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            yield from _texts_of_several_lines(path, at, name, visited)
            yield from _texts_of_several_lines(path, f"{at}.{as_line(name.value)}", value, visited)
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            yield from _texts_of_several_lines(path, f"{at}[{number}]", value, visited)


def _validation_problems(path: Path, at: str, node: yaml.Node, error: ValidationError) -> Iterable[Problem]:
    for detail in error.errors(include_url=False):
        field = ".".join(str(part) for part in detail["loc"])
        line = _line(node, detail["loc"]) + 1
        value = "nothing" if detail["type"] == "missing" else repr(detail["input"])
        expected = "no such key" if detail["type"] == "extra_forbidden" else str(detail["msg"])
        yield _problem(f"{path}:{line}", f"{at}.{field}" if field else at, "refused", expected, value)


def _line(node: yaml.Node, loc: tuple[int | str, ...]) -> int:
    line: int = node.start_mark.line
    if loc and isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(loc[0]):
                below = _line(value, loc[1:])
                return below if len(loc) > 1 else int(key.start_mark.line)
    return line


def _problem(place: str, path: str, message: str, expected: str, value: str) -> Problem:
    return Problem(place, path, message, expected, value, "mend the row and run the command again", "table.refused")
