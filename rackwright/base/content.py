"""Finds content (checks, collectors, limits, roles, stacks, templates) by path; the path is the identity.

In a checkout the top-level folders are the content; an installed wheel carries the same folders in ``rackwright/_content``.
Content is never imported by name: a check is a file that is executed alone and must define `CHECK`.
"""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType

from rackwright.base.errors import Problem, ProblemsError


@cache
def root() -> Path:
    """The folder that holds ``validators``, ``roles``, ``stacks`` and ``templates``."""
    package = Path(__file__).resolve().parent.parent
    checkout = package.parent
    return checkout if (checkout / "validators").is_dir() and (checkout / "roles").is_dir() else package / "_content"


def folder(*parts: str) -> Path:
    """A folder or file below the content root (``folder("templates", "report")``)."""
    return root().joinpath(*parts)


def modules(*parts: str) -> dict[str, ModuleType]:
    """Every Python file below a content folder, executed, by dotted id (``gpu.row_remap``), in id order."""
    base = folder(*parts)
    files = sorted(base.rglob("*.py"))
    return {".".join(path.relative_to(base).with_suffix("").parts): _execute_once(path, _stamp(path)) for path in files}


@cache
def module(*parts: str) -> ModuleType:
    """One Python file of the content, executed (``module("validators", "collectors", "clock")``)."""
    return _execute(folder(*parts).with_suffix(".py"))


@cache
def _execute_once(path: Path, _written: tuple[int, int]) -> ModuleType:
    """Judging, gating and the report of one command run the same checks; a file that changed is executed again."""
    return _execute(path)


def _stamp(path: Path) -> tuple[int, int]:
    state = path.stat()
    return state.st_mtime_ns, state.st_size


def _execute(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"rackwright_content.{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ProblemsError([_broken(path, ImportError("not a Python file"))])
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ProblemsError([_broken(path, error)]) from error
    return module


def _broken(path: Path, error: Exception) -> Problem:
    return Problem(
        place=str(path),
        path="",
        message="content file cannot be loaded",
        expected="a Python file that imports cleanly",
        found=f"{type(error).__name__}: {error}",
        next_step="run it with `python FILE` and mend the error",
        code="content.broken",
    )
