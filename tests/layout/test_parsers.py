"""The hash of the parsers covers every module of the package that parsers can reach."""

from __future__ import annotations

import ast
from pathlib import Path

import rackwright
from rackwright.base import content
from rackwright.collect.store import parser_fingerprint

PACKAGE = Path(rackwright.__file__).parent


def imported(path: Path) -> set[str]:
    """The modules of the package that a file imports, and the functions of the content that it calls by name."""
    tree = ast.parse(path.read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name for name in names if name.startswith("rackwright")}


def file_of(name: str) -> Path | None:
    base = PACKAGE.joinpath(*name.split(".")[1:])
    return next((path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()), None)


def test_every_module_that_a_collector_can_reach_is_hashed() -> None:
    hashed = {path for _, path in parser_fingerprint._files(content.shipped())}
    remaining = sorted(content.folder("validators", "collectors").rglob("*.py"))
    assert remaining
    assert set(remaining) <= hashed
    reached: set[Path] = set()
    while remaining:
        path = remaining.pop()
        reached.add(path)
        files = map(file_of, imported(path))
        remaining += [file for file in files if file is not None and file not in reached]
    assert {path.relative_to(PACKAGE).as_posix() for path in reached - hashed} == set()


def test_another_parser_has_another_hash(tmp_path, monkeypatch) -> None:
    before = parser_fingerprint.fingerprint.__wrapped__()
    assert before == parser_fingerprint.fingerprint.__wrapped__()
    changed = tmp_path / "parser.py"
    changed.write_text("CHANGED = True\n")
    files = [*parser_fingerprint._files(content.shipped())]
    monkeypatch.setattr(parser_fingerprint, "_files", lambda _: [*files[:-1], (files[-1][0], changed)])
    assert parser_fingerprint.fingerprint.__wrapped__() != before
