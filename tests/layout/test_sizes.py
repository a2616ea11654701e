"""Modules and functions stay small."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

MODULE_LINES = 250
FUNCTION_LINES = 60
CHECK_LINES = 100
STACK_LINES = 40


@cache
def python_files(folder: str, pattern: str = "**/*.py") -> list[Path]:
    """Files below a folder; copies of the content that a build leaves in the package are omitted."""
    paths = (ROOT / folder).glob(pattern)
    return sorted(path for path in paths if not {"__pycache__", "_content"} & set(path.relative_to(ROOT).parts))


def longer_files(paths: list[Path], limit: int) -> list[str]:
    """Files of more lines than the limit, with their number of lines."""
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    return [f"{path.relative_to(ROOT)}: {count} lines" for path, count in lines.items() if count > limit]


def longer_functions(path: Path) -> list[str]:
    """Functions of more than `FUNCTION_LINES` lines, decorators left out and docstring included, with their lines."""
    functions = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    lines = [(node.name, (node.end_lineno or node.lineno) - node.lineno + 1) for node in functions]
    return [f"{path.relative_to(ROOT)}::{name}: {count} lines" for name, count in lines if count > FUNCTION_LINES]


def test_there_is_something_to_measure():
    assert len(python_files("rackwright")) > 20
    assert len(python_files("validators/checks")) >= 15
    assert len(python_files("validators/collectors")) >= 15
    assert python_files("stacks", "*/__main__.py")


def test_modules_are_small():
    assert longer_files(python_files("rackwright"), MODULE_LINES) == []


def test_functions_are_small():
    folders = ("rackwright", "validators/checks", "validators/collectors")
    paths = [path for folder in folders for path in python_files(folder)]
    assert [place for path in paths for place in longer_functions(path)] == []


def test_checks_are_small():
    assert longer_files(python_files("validators/checks"), CHECK_LINES) == []


def test_stacks_only_call():
    assert longer_files(python_files("stacks", "*/__main__.py"), STACK_LINES) == []


def test_longer_ones_are_listed(tmp_path, monkeypatch):
    monkeypatch.setattr(f"{__name__}.ROOT", tmp_path)
    file = tmp_path / "long.py"
    file.write_text("def f():\n" + "    pass\n" * FUNCTION_LINES)
    assert longer_files([file], FUNCTION_LINES) == ["long.py: 61 lines"]
    assert longer_functions(file) == ["long.py::f: 61 lines"]
