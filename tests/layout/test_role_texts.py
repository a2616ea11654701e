"""Templates and scripts of roles: each has a format, and no value stands in a script unquoted."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, nodes

from rackwright.base import yaml_text
from rackwright.onboard.role_engine import load_engine

ROOT = Path(__file__).resolve().parents[2]
formats = importlib.import_module(f"{load_engine().__name__}.formats")
TEMPLATES = sorted(
    [*ROOT.glob("roles/*/templates/*.j2"), *ROOT.glob("templates/slurm/*.j2"), *ROOT.glob("templates/kubernetes/*.j2")]
)
SERIALISERS = {"to_json", "to_nice_json", "to_nice_yaml"}
UNSERIALISED = {
    "ansible_managed": "a text of the role engine",
    "gpu_operator_version": "in comments; the role refuses what is no version",
    "pool": "in a comment; a name",
    "own": "in a comment; versions of a bill",
}
SCRIPTS = {"__time_look": "a script of the role; what it inserts is a number by its argument specification"}
SHELLS = ("sh", "/bin/sh")


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: f"{path.parts[-3]}/{path.name}")
def test_a_template_has_a_format(path: Path) -> None:
    form = formats.format_of(path.name)
    assert form is not None, "add its name to rackwright_role_engine/formats.py"
    if form is formats.SERIALISED:
        loose = {name for expression in expressions(path.read_text()) for name in loose_names(expression)}
        assert loose <= set(UNSERIALISED)


def expressions(text: str) -> Iterator[nodes.Expr]:
    for output in Environment(autoescape=True, trim_blocks=True).parse(text).find_all(nodes.Output):
        yield from (node for node in output.nodes if not isinstance(node, nodes.TemplateData))


def loose_names(expression: nodes.Expr) -> set[str]:
    """Names in an expression that does not end in a serialiser."""
    if isinstance(expression, nodes.Filter) and expression.name in SERIALISERS:
        return set()
    names = expression.find_all(nodes.Name)
    return {expression.name} if isinstance(expression, nodes.Name) else {node.name for node in names}


def scripts(value: Any) -> Iterator[str]:
    """Every text that a shell is started with, anywhere in what a role declares."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from scripts(inner)
    elif isinstance(value, list):
        at = value.index("-c") if "-c" in value else -1
        if at > 0 and value[at - 1] in SHELLS:
            yield value[at + 1]
        for inner in value:
            yield from scripts(inner)


def quoted(expression: nodes.Expr) -> bool:
    """Whether every value in it passes `quote`, or is a number."""
    chain = [expression]
    while isinstance(chain[-1], nodes.Filter) and chain[-1].node is not None:
        chain.append(chain[-1].node)
    filters = [node for node in chain if isinstance(node, nodes.Filter)]
    names = [node.name for node in filters]
    mapped = [argument.value for node in filters for argument in node.args[:1] if isinstance(argument, nodes.Const)]
    return names[:1] in (["quote"], ["int"]) or (names[:1] == ["join"] and "quote" in mapped)


FILES = sorted([*ROOT.glob("roles/*/state.yml"), *ROOT.glob("roles/*/vars/**/*.yml")])


def test_values_in_scripts_are_quoted() -> None:
    unquoted = [
        f"{path.parent.name}/{path.name}: {script}"
        for path in FILES
        for script in scripts(yaml_text.load(path.read_text()))
        for expression in expressions(script)
        if not quoted(expression) and getattr(expression, "name", "") not in SCRIPTS
    ]
    assert unquoted == []


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("echo {{ a | quote }}", True),
        ("echo {{ a | int }}", True),
        ("echo {{ a | map('quote') | join(' ') }}", True),
        ("echo {{ a }}", False),
        ("echo '{{ a | join(' ') }}'", False),
        ("echo {{ (a | quote) ~ b }}", False),
    ],
)
def test_an_unquoted_value_would_be_noticed(script: str, expected: bool) -> None:
    assert all(quoted(expression) for expression in expressions(script)) is expected


def test_there_are_scripts() -> None:
    assert sum(1 for path in FILES for _ in scripts(yaml_text.load(path.read_text()))) > 15
    assert re.search("quote", (ROOT / "roles/rdma_naming/state.yml").read_text())
