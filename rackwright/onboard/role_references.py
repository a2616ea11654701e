"""What a condition of a role refers to: options, facts and lookups, through the variables of the role that it names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, nodes

from rackwright.base import yaml_text

HOST_FACTS = "ansible_facts"
LOOKUPS = frozenset({"lookup", "query", "q"})
"""Functions of Ansible that read something on the machine that plays (files, environment)."""


@dataclass(frozen=True)
class References:
    """The names in a condition, nearest first, and what has to be there to evaluate it."""

    names: tuple[str, ...]

    @property
    def host_facts(self) -> bool:
        """Whether it needs facts of a running host."""
        return HOST_FACTS in self.names

    @property
    def lookups(self) -> bool:
        """Whether it reads something on the machine that plays, such as a file that onboarding makes."""
        return bool(LOOKUPS & set(self.names))


def references(folder: Path, conditions: str | Iterable[str]) -> References:
    """References of the conditions (``when``) of one entry of the role in `folder`."""
    return _references(folder, (conditions,) if isinstance(conditions, str) else tuple(conditions))


@cache
def _references(folder: Path, conditions: tuple[str, ...]) -> References:
    """Kept, because every kind of node asks for the same ones, and Jinja takes a millisecond for each."""
    variables = _variables(folder)
    waiting = list(_names(conditions, is_expression=True))
    names: dict[str, None] = {}
    while waiting:
        name = waiting.pop(0)
        if name not in names:
            names[name] = None
            waiting += [inner for value in variables.get(name, ()) for inner in _names([value], is_expression=False)]
    return References(tuple(names))


@cache
def _variables(folder: Path) -> Mapping[str, list[Any]]:
    """Variable -> its values in the files of the role: the default, and one for each operating system."""
    values: dict[str, list[Any]] = {}
    for path in [folder / "defaults" / "main.yml", *sorted(folder.glob("vars/*.yml"))]:
        content = yaml_text.load(path.read_text(encoding="utf-8")) if path.exists() else {}
        for name, value in (content or {}).items():
            values.setdefault(name, []).append(value)
    return values


def _names(values: Iterable[Any], *, is_expression: bool) -> Iterator[str]:
    for text in _texts(values):
        if is_expression or "{{" in text or "{%" in text:
            tree = Environment(autoescape=True).parse("{{ (" + text + ") }}" if is_expression else text)
            yield from (node.name for node in tree.find_all(nodes.Name) if node.ctx == "load")


def _texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            yield from _texts(value.values())
        elif isinstance(value, list):
            yield from _texts(value)
