"""Measures tests by mutation: the share of small random errors in a package that its unit tests do not notice.

    .venv/bin/python tools/mutation.py gate --count 100

Draws mutants of ``rackwright/PACKAGE`` with a fixed seed (a comparison turned round, a condition negated, a number or a text changed,
a call or an operand removed, a result dropped), runs ``tests/unit/PACKAGE`` against each and prints the survivors. Nothing is written:
a mutant exists in the memory of its process alone. Tests that start other processes do not see it.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LONGEST_SECONDS = 300
"""Processor time after which a mutant counts as noticed: it loops."""
MARKERS = "not (engine or twin or slurm or fabric or kubectl or postgres or gpu)"
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change of one file."""

    path: Path
    line: int
    before: str
    after: str
    source: str

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.before}  ->  {self.after}"


def replacements(node: ast.AST) -> Iterator[ast.AST]:
    """Every node that may stand in the place of `node`."""
    if isinstance(node, ast.Constant):
        yield from _constants(node.value)
    elif isinstance(node, ast.expr):
        yield from _expressions(node)
    else:
        yield from _statements(node)


def _constants(value: object) -> Iterator[ast.AST]:
    match value:
        case bool():
            yield ast.Constant(not value)
        case int() | float():
            yield ast.Constant(value + 1)
        case str():
            yield ast.Constant(f"XX{value}XX")


def _expressions(node: ast.expr) -> Iterator[ast.AST]:
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in COMPARISONS:
            yield ast.Compare(node.left, [COMPARISONS[type(operator)]()], node.comparators)
        case ast.BinOp() if type(node.op) in OPERATORS:
            yield ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
        case ast.BoolOp():
            yield ast.BoolOp(ast.And() if isinstance(node.op, ast.Or) else ast.Or(), node.values)
            yield from node.values
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.IfExp():
            yield ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.If() | ast.While():
            yield type(node)(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
        case ast.comprehension(ifs=[_, *_]):
            yield ast.comprehension(node.target, node.iter, node.ifs[1:], node.is_async)
        case ast.Return(value=value) if value is not None and not _is_none(value):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.Await() | ast.Yield() | ast.YieldFrom()) | ast.AugAssign() | ast.Raise():
            yield ast.Pass()


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def places(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Where a node hangs: parent, field and index; annotations, docstrings and texts of format specifications are omitted."""
    for parent in _walk(tree):
        for field, value in ast.iter_fields(parent):
            for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
                if (
                    isinstance(child, ast.AST)
                    and field not in ("annotation", "returns", "format_spec")
                    and not docstring
                ):
                    yield parent, field, index


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "format_spec"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not (
                isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            ):
                yield from _walk(child)


def mutants(path: Path) -> Iterator[Mutant]:
    """Every mutant of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for parent, field, index in places(tree):
        node = _child(parent, field, index)
        for replacement in replacements(node):
            _put(parent, field, index, replacement)
            source = ast.unparse(tree)
            _put(parent, field, index, node)
            line = getattr(node, "lineno", getattr(getattr(node, "iter", None), "lineno", 0))
            yield Mutant(path, line, _text(node), _text(replacement), source)


def _child(parent: ast.AST, field: str, index: int | None) -> ast.AST:
    value = getattr(parent, field)
    return value if index is None else value[index]


def _put(parent: ast.AST, field: str, index: int | None, node: ast.AST) -> None:
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def _text(node: ast.AST) -> str:
    return ast.unparse(node).strip().splitlines()[0][:90]


def survives(mutant: Mutant, tests: list[str]) -> bool:
    """Run the tests against a mutant in a process of its own; whether all of them passed."""
    process = os.fork()
    if process == 0:
        os._exit(_run(mutant, tests))
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0


def _run(mutant: Mutant | None, tests: list[str]) -> int:
    signal.setitimer(signal.ITIMER_PROF, LONGEST_SECONDS)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    if mutant:
        unchanged = SourceFileLoader.get_code

        def get_code(self: SourceFileLoader, name: str) -> object:
            if Path(self.get_filename(name)).resolve() == mutant.path:
                return compile(mutant.source, str(mutant.path), "exec")
            return unchanged(self, name)

        SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
    import pytest

    words = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", MARKERS, *tests]
    return int(pytest.main(words))


def preload(package: str) -> None:
    """Import what tests need and no mutant can be in, so that each process finds it there."""
    for name in ("pytest", "hypothesis.strategies", "polars", "pydantic", "yaml", "jinja2", "tests.build"):
        process = os.fork()
        if process == 0:
            importlib.import_module(name)
            os._exit(any(module.startswith(package) for module in sys.modules))
        if os.waitpid(process, 0)[1] == 0:
            importlib.import_module(name)


def main() -> int:
    """Print the mutants that survive and their share; the exit status is 1 when the share is above the limit."""
    parser = argparse.ArgumentParser(
        description="share of random errors in a package that its unit tests do not notice"
    )
    parser.add_argument("package", help="folder below rackwright, such as gate")
    parser.add_argument("--count", type=int, default=100, help="number of mutants (100)")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (1)")
    parser.add_argument("--limit", type=float, default=0.15, help="highest share that passes (0.15)")
    parser.add_argument("--tests", nargs="*", help="test files or folders (tests/unit/PACKAGE)")
    options = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    sys.dont_write_bytecode = True
    tests = options.tests or [f"tests/unit/{options.package}"]
    files = sorted((ROOT / "rackwright" / options.package).rglob("*.py"))
    every = [mutant for path in files for mutant in mutants(path)]
    drawn = random.Random(options.seed).sample(every, min(options.count, len(every)))  # noqa: S311 - a sample, no secret
    preload(f"rackwright.{options.package.replace('/', '.')}")
    process = os.fork()
    if process == 0:
        os._exit(_run(None, tests))
    if os.waitpid(process, 0)[1]:
        sys.exit(f"the tests fail without a mutant: {' '.join(tests)}")
    started, survivors = time.monotonic(), []
    for mutant in drawn:
        if survives(mutant, tests):
            survivors.append(mutant)
            print(mutant, flush=True)
    share = len(survivors) / len(drawn)
    seconds = time.monotonic() - started
    print(
        f"{options.package}: {len(survivors)} of {len(drawn)} mutants survive ({share:.0%}), {len(every)} possible, {seconds:.0f} s"
    )
    return int(share > options.limit)


if __name__ == "__main__":
    sys.exit(main())
