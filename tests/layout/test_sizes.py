"""Modules and functions stay small; what is larger is stated here with its reason, and only as long as it is larger."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

MODULE_LINES = 250
FUNCTION_LINES = 60
CHECK_LINES = 100
STACK_LINES = 40

EXCEPTIONS: dict[str, str] = {}
"""File, or ``file::function`` -> why it may be larger."""


def _python(folder: str, pattern: str = "**/*.py") -> list[Path]:
    return sorted(path for path in (ROOT / folder).glob(pattern) if "__pycache__" not in path.parts)


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def _named(paths: list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


MODULES = [path for path in _python("rackwright") if "_content" not in path.parts]
CHECKS = _python("validators/checks")
STACKS = _python("stacks", "*/__main__.py")


def _functions(path: Path) -> dict[str, int]:
    """Lines of every function of a file, decorators and docstring included, by name."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {
        f"{path.relative_to(ROOT)}::{node.name}": (node.end_lineno or node.lineno) - node.lineno + 1 for node in found
    }


def test_there_is_something_to_measure():
    assert len(MODULES) > 20
    assert len(CHECKS) >= 15


@pytest.mark.parametrize("name", _named(MODULES))
def test_module_is_small(name: str):
    assert name in EXCEPTIONS or _lines(ROOT / name) <= MODULE_LINES


@pytest.mark.parametrize("name", _named(MODULES + CHECKS + _python("validators/collectors")))
def test_functions_are_small(name: str):
    large = {where: lines for where, lines in _functions(ROOT / name).items() if lines > FUNCTION_LINES}
    assert large.keys() <= EXCEPTIONS.keys()


@pytest.mark.parametrize("name", _named(CHECKS))
def test_check_is_small(name: str):
    assert name in EXCEPTIONS or _lines(ROOT / name) <= CHECK_LINES


@pytest.mark.parametrize("name", _named(STACKS))
def test_stack_only_calls(name: str):
    assert _lines(ROOT / name) <= STACK_LINES


def test_exceptions_are_needed():
    for where in EXCEPTIONS:
        name, _, function = where.partition("::")
        path = ROOT / name
        if function:
            assert _functions(path)[where] > FUNCTION_LINES
        else:
            assert _lines(path) > (CHECK_LINES if path in CHECKS else MODULE_LINES)
