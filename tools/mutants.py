"""The small random errors that `tools/mutation.py` puts into a package."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
UNCHANGED_FIELDS = ("annotation", "returns", "format_spec", "msg")
"""Types, formats, and the messages of assertions; so are `Literal`, names of type variables and docstrings."""
UNCHANGED_NAMES = ("__all__", "__slots__")
UNCHANGED_OPTIONS = {"zip": ("strict",), "dataclass": ("slots", "frozen"), "lru_cache": ("maxsize",)}
"""Guards against errors of programmers, and sizes of caches: no result depends on them."""


@dataclass(frozen=True, eq=False)
class Mutant:
    """One change of one file: `replacement` takes the place of a node of `tree`."""

    path: Path
    tree: ast.Module
    parent: ast.AST
    field: str
    index: int | None
    replacement: ast.AST
    scopes: tuple[int, ...]
    """First lines of the functions around it, from the outermost."""

    @property
    def node(self) -> ast.AST:
        """The node that is replaced."""
        value = getattr(self.parent, self.field)
        node: ast.AST = value if self.index is None else value[self.index]
        return node

    def code(self) -> CodeType:
        """The changed file. The tree stays changed."""
        if self.index is None:
            setattr(self.parent, self.field, self.replacement)
        else:
            getattr(self.parent, self.field)[self.index] = self.replacement
        return compile(ast.fix_missing_locations(self.tree), str(self.path), "exec")

    def __str__(self) -> str:
        line = getattr(self.node, "lineno", getattr(getattr(self.node, "iter", None), "lineno", 0))
        return f"{self.path}:{line}: {_text(self.node)}  ->  {_text(self.replacement)}"


def mutants(path: Path) -> list[Mutant]:
    """Every mutant of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        Mutant(path, tree, parent, field, index, replacement, scopes)
        for parent, field, index, node, scopes in _places(tree, ())
        for replacement in replacements(node)
    ]


Place = tuple[ast.AST, str, int | None, ast.AST, tuple[int, ...]]


def _places(parent: ast.AST, scopes: tuple[int, ...]) -> Iterator[Place]:
    """Every node that may change: its parent, field and index, the node, and the first lines of the functions around it."""
    for field, value in ast.iter_fields(parent):
        inner = scopes
        if isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef) and field == "body":
            inner = (*scopes, min(node.lineno for node in (parent, *parent.decorator_list)))
        for index, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(node, ast.AST) and not _stays(parent, field, index, node):
                yield parent, field, index, node, inner
                yield from _places(node, inner)


def _stays(parent: ast.AST, field: str, index: int | None, node: ast.AST) -> bool:
    """Whether a node keeps its value in every mutant."""
    match parent, node:
        case _, ast.Expr(value=ast.Constant()):  # a docstring
            return True
        case ast.Assign(targets=[ast.Name(id=name)]), _ if name in UNCHANGED_NAMES:
            return True
        case ast.Subscript(value=ast.Name(id="Literal")), _:
            return True
        case ast.Call(func=ast.Name(id="TypeVar" | "ParamSpec" | "cast")), ast.Constant():
            return index == 0
        case ast.Call(func=ast.Name(id=name)), ast.keyword(arg=option):
            return option in UNCHANGED_OPTIONS.get(name, ())
    return field in UNCHANGED_FIELDS


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


def _text(node: ast.AST) -> str:
    return ast.unparse(node).strip().splitlines()[0][:90]
