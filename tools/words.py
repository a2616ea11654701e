"""Refuses names that say nothing and sentences that stop a reader, by the list in ``words.yaml``: `tools/words.py [PATH...]`.

Prints ``file:line: what was found: what to write`` for each, and exits 1 when there is any. Without PATH it reads every tracked file.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
LIST: dict[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
PHRASES = {re.compile(pattern): advice for pattern, advice in LIST["phrases"].items()}
NAMED = ("rackwright", "validators", "roles", "tools", "benchmarks", "stacks", "tests")
"""Folders whose Python names are checked."""
RECORDED = ("tests/cases/", "tests/golden/", "tests/published/", "tools/words.yaml")
"""Recorded outputs and published texts keep their words."""


def bindings(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Every name that is bound, with its line; fields of records that are published as data keep the names in `LIST["fields"]`."""
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    fields = {id(entry.target) for node in classes for entry in node.body if isinstance(entry, ast.AnnAssign)}
    for node in ast.walk(tree):
        if id(node) in fields and isinstance(node, ast.Name) and node.id in LIST["fields"]:
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif (isinstance(node, ast.ExceptHandler) and node.name) or isinstance(
            node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        ):
            yield node.name, node.lineno


def prose(path: Path, text: str) -> Iterator[tuple[str, int]]:
    """The sentences of a file: docstrings and comments of Python, comments of YAML, all of a Markdown page."""
    if path.suffix == ".md":
        yield from ((line, number) for number, line in enumerate(text.splitlines(), start=1))
    elif path.suffix in (".yaml", ".yml"):
        for number, line in enumerate(text.splitlines(), start=1):
            yield line.partition("#")[2], number
    elif path.suffix == ".py":
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT or (
                token.type == tokenize.STRING and token.string.lstrip("rR").startswith('"""')
            ):
                for offset, line in enumerate(token.string.splitlines()):
                    yield line, token.start[0] + offset


def problems(path: Path) -> Iterator[str]:
    """What is wrong in one file."""
    name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    if path.suffix == ".py" and name.startswith(NAMED):
        if path.stem in LIST["modules"] and name.startswith("rackwright"):
            yield f"{name}:1: module `{path.stem}`: name it by its subject"
        for binding, line in bindings(ast.parse(text)):
            if advice := LIST["names"].get(binding.lstrip("_")):
                yield f"{name}:{line}: name `{binding}`: {advice}"
    for sentence, line in prose(path, text):
        for pattern, advice in PHRASES.items():
            if match := pattern.search(sentence):
                yield f'{name}:{line}: "{match[0]}": {advice}'


def same_classes(paths: list[Path]) -> Iterator[str]:
    """Public classes of the package that share a name."""
    places: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        if path.suffix == ".py" and path.is_relative_to(ROOT / "rackwright"):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].append(f"{path.relative_to(ROOT)}:{node.lineno}")
    for name, lines in sorted(places.items()):
        if len(lines) > 1:
            yield f"{lines[0]}: class `{name}` is also {', '.join(lines[1:])}: say which"


def main(arguments: list[str]) -> int:
    """Exit status: 0 nothing refused, 1 something is."""
    listed = subprocess.run(
        ["git", "ls-files", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    names = [name for name in listed.splitlines() if name.endswith(".py") or not name.startswith(RECORDED)]
    paths = [ROOT / name for name in names if (ROOT / name).is_file()]
    paths = [path for path in paths if path.suffix in (".py", ".md", ".yaml", ".yml")]
    refused = [line for path in paths for line in problems(path)] + list(same_classes(paths))
    print("\n".join(refused), end="\n" if refused else "")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
