"""The hash of the parsers covers everything of ours that parsers are made of."""

from __future__ import annotations

import ast
from pathlib import Path

import rackwright
from rackwright.base import content
from rackwright.collect.store import parser_fingerprint

PACKAGE = Path(rackwright.__file__).parent


def imported(path: Path) -> set[str]:
    """The modules of ours that a file imports, and the functions of the content that it calls by name."""
    tree = ast.parse(path.read_text())
    names = {one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{one.name}" for one in node.names)}
    return {name for name in names if name.startswith("rackwright")}


def file_of(name: str) -> Path | None:
    base = PACKAGE.joinpath(*name.split(".")[1:])
    found = [one for one in (base.with_suffix(".py"), base / "__init__.py") if one.is_file()]
    return found[0] if found else None


def test_every_module_that_a_collector_can_reach_is_hashed() -> None:
    hashed = {path for _, path in parser_fingerprint._files()}
    left = sorted(path for path in content.folder("validators", "collectors").rglob("*.py") if "_sim" not in path.stem)
    assert left
    assert set(left) <= hashed
    seen: set[Path] = set()
    while left:
        path = left.pop()
        seen.add(path)
        left += [one for name in imported(path) if (one := file_of(name)) is not None and one not in seen]
    assert {path.relative_to(PACKAGE).as_posix() for path in seen - hashed} == set()


def test_another_parser_has_another_hash(tmp_path, monkeypatch) -> None:
    before = parser_fingerprint.fingerprint.__wrapped__()
    assert before == parser_fingerprint.fingerprint.__wrapped__()
    changed = tmp_path / "parser.py"
    changed.write_text("CHANGED = True\n")
    files = [*parser_fingerprint._files()]
    monkeypatch.setattr(parser_fingerprint, "_files", lambda: [*files[:-1], (files[-1][0], changed)])
    assert parser_fingerprint.fingerprint.__wrapped__() != before
