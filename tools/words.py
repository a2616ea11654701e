"""Refuses names that say nothing and sentences that stop a reader, by the list in ``words.yaml``: `tools/words.py [PATH...]`.

Prints ``file:line: what was found: what to write`` for each, and exits 1 when there is any. Without PATH it reads every tracked file.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
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
LEXEME = re.compile(r"""#[^\n]*|("{3}|'{3}|["'])(?:\\.|[^\\])*?\1""", re.DOTALL)
"""A comment or a string of Python; `tokenize` takes ten times as long."""
WORD = re.compile(r"(?<![\w.@])\w+")
PUBLIC_CLASS = re.compile(r"^class ([^\W_]\w*)", re.MULTILINE)
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


def split_prose(path: Path, text: str) -> tuple[str, str]:
    """Sentences and the code of a text, each on the lines where it was.

    The sentences are docstrings and comments of Python, comments of YAML, all of a Markdown page. Code has no plain strings.
    """
    if path.suffix == ".md":
        return text, ""
    if path.suffix in (".yaml", ".yml"):
        return "\n".join(line.partition("#")[2] for line in text.splitlines()), ""
    sentences, code, end = [], [], 0
    for match in LEXEME.finditer(text):
        before, lines = text[end : match.start()], "\n" * match[0].count("\n")
        sentences += ["\n" * before.count("\n"), match[0] if match[0].startswith(("#", '"""')) else lines]
        code += [before, match[0] if before.endswith(("f", "F")) else lines]
        end = match.end()
    return "".join(sentences), "".join(code) + text[end:]


def problems(path: Path, public: dict[str, list[str]]) -> Iterator[str]:
    """Problems of one file; `public` collects the places of the package's public classes by name."""
    name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    sentences, code = split_prose(path, text)
    if path.suffix == ".py" and name.startswith(NAMED):
        if path.stem in LIST["modules"] and name.startswith("rackwright"):
            yield f"{name}:1: module `{path.stem}`: name it by its subject"
        if any(word.lstrip("_") in LIST["names"] for word in WORD.findall(code)):
            for binding, line in bindings(ast.parse(text)):
                if advice := LIST["names"].get(binding.lstrip("_")):
                    yield f"{name}:{line}: name `{binding}`: {advice}"
    if name.startswith("rackwright/"):
        for match in PUBLIC_CLASS.finditer(code):
            public[match[1]].append(f"{name}:{line_of(code, match)}")
    for pattern, advice in PHRASES.items():
        for match in pattern.finditer(sentences):
            yield f'{name}:{line_of(sentences, match)}: "{match[0]}": {advice}'


def line_of(text: str, match: re.Match[str]) -> int:
    """The line where a match begins."""
    return text.count("\n", 0, match.start()) + 1


def main(arguments: list[str]) -> int:
    """Exit status: 0 nothing refused, 1 something is."""
    listed = subprocess.run(
        ["git", "ls-files", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    names = [name for name in listed.splitlines() if name.endswith(".py") or not name.startswith(RECORDED)]
    paths = [ROOT / name for name in names if (ROOT / name).is_file()]
    paths = [path for path in paths if path.suffix in (".py", ".md", ".yaml", ".yml")]
    public: dict[str, list[str]] = defaultdict(list)
    refused = [line for path in paths for line in problems(path, public)]
    for name, (place, *others) in sorted(public.items()):
        if others:
            refused.append(f"{place}: class `{name}` is also {', '.join(others)}: say which")
    print("\n".join(refused), end="\n" if refused else "")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
