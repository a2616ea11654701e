"""Options of roles in a software bill: unknown options, and values of the wrong type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import yaml

from rackwright.base import content, yaml_text
from rackwright.base.errors import Problem
from rackwright.base.terminal_text import as_line
from rackwright.catalog import Catalog
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem
from rackwright.spec.fields import nearest_word

TYPES: Mapping[str, tuple[tuple[type, ...], str]] = {
    "str": ((str, int, float), "text"),
    "path": ((str,), "a path"),
    "int": ((int,), "a whole number"),
    "float": ((int, float), "a number"),
    "bool": ((bool,), "true or false"),
    "list": ((list,), "a list"),
    "dict": ((dict,), "a mapping (key: value)"),
}
"""Type of an argument specification -> what YAML may read it as, and its name for people. A number is text to Ansible too."""
KEY = re.compile("[A-Za-z0-9][A-Za-z0-9_.:/@+=,-]*")


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """Every option of the site's bill and of those of its pools."""
    software, options = site.software, _role_options(catalog.roots)
    for place, bill in {"software": software, **{f"software.pools.{n}": b for n, b in software.pools.items()}}.items():
        for name, value in bill.options.items():
            yield from _option_problems(f"{place}.options.{name}", options, name, value)


@cache
def _role_options(roots: content.Roots) -> dict[str, dict[str, Any]]:
    """Option -> its specification, of all roles; an unreadable role of the site has none here, because its own stage reports it."""
    options: dict[str, dict[str, Any]] = {}
    for path in (path for root in roots for path in sorted((root / "roles").glob("*/meta/argument_specs.yml"))):
        try:
            specs = yaml_text.load(path.read_text(encoding="utf-8"))
            options |= specs["argument_specs"]["main"].get("options") or {}
        except (UnicodeDecodeError, yaml.YAMLError, KeyError, TypeError, AttributeError):
            continue
    return options


def _option_problems(path: str, options: Mapping[str, dict[str, Any]], name: str, value: object) -> Iterator[Problem]:
    option = options.get(name)
    if option is None:
        guess = nearest_word(name, list(options))
        step = f"did you mean {guess}?" if guess else "remove it; the README of each role lists its options"
        expected = "an option of a role (roles/README.md)"
        yield problem(path, "unknown_option", "no role has this option", expected, name, step)
        return
    yield from _keys(path, value)
    types, expected = TYPES[option.get("type", "str")]
    choices = option.get("choices")
    if not isinstance(value, types) or (isinstance(value, bool) and bool not in types):
        yield problem(path, "wrong_type", "wrong type", expected, _value_text(value), f"write {expected}")
    elif choices and value not in choices:
        expected = "one of " + ", ".join(str(choice) or '""' for choice in choices)
        yield problem(path, "wrong_value", "wrong value", expected, _value_text(value), f"write {expected}")


def _keys(path: str, value: object) -> Iterator[Problem]:
    """Keys anywhere in a value that a file of a node cannot carry, or that mean something to Ansible (``__ansible_vault``)."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if not (isinstance(key, int) or KEY.fullmatch(str(key))):
                expected, step = "letters, digits and _.:/@+=,-, a letter or digit first", "correct the key"
                yield problem(path, "wrong_value", "this is not a key", expected, as_line(key), step)
            yield from _keys(path, inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _keys(path, inner)


def _value_text(value: object) -> str:
    return f"a list of {len(value)}" if isinstance(value, list) else str(value)
