"""Finds content (checks, collectors, limits, roles, stacks, templates) by path; the path is the identity.

In a checkout the top-level folders are the content; an installed wheel carries the same folders in
``rackwright/_content``. A site may add a folder with the same layout (``site_folder`` of ``site.yaml``): content is
then read from a list of roots, which is part of the catalog and the design of that site and stored nowhere else.

Content is never imported by name: a check is a file that is executed on its own and must define `CHECK`.
"""

from __future__ import annotations

import fnmatch
import hashlib
import importlib.util
import os
import traceback
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from rackwright.base.errors import OutsideError, Problem, ProblemsError

Roots = tuple[Path, ...]
"""Folders that hold content, the shipped one first."""


@cache
def root() -> Path:
    """The folder that holds ``validators``, ``roles``, ``stacks`` and ``templates``.

    Raises OutsideError for an installation without them: no check of an empty folder could fail.
    """
    package = Path(__file__).resolve().parent.parent
    for folder_of_content in (package.parent, package / "_content"):
        if (folder_of_content / "validators").is_dir() and (folder_of_content / "roles").is_dir():
            return folder_of_content
    raise OutsideError(f"no checks and roles beside {package} nor in it; install rackwright again")


def folder(*parts: str) -> Path:
    """A folder or file below the content root (``folder("templates", "report")``)."""
    return root().joinpath(*parts)


def shipped() -> Roots:
    """The roots of a site without content of its own."""
    return (root(),)


def files(roots: Roots, *parts: str, pattern: str) -> dict[str, Path]:
    """Path below the folder `parts` -> file, for the files that match `pattern` (``rglob``), in the order of the roots.

    Raises ProblemsError for files of a site that have the name of a shipped one.
    """
    by_name, doubles = _files(roots, parts, pattern)
    if doubles:
        raise ProblemsError(doubles)
    return by_name


def _files(roots: Roots, parts: tuple[str, ...], pattern: str) -> tuple[dict[str, Path], list[Problem]]:
    by_name: dict[str, Path] = {}
    doubles: list[Problem] = []
    for folder_of_kind in (base.joinpath(*parts) for base in roots):
        for parts_of_name in sorted(_below(folder_of_kind, pattern)):
            name, path = "/".join(parts_of_name), folder_of_kind.joinpath(*parts_of_name)
            if not path.is_file():
                continue
            if name in by_name:
                doubles.append(_double(path, name))
            by_name.setdefault(name, path)
    return by_name, doubles


def _below(folder_of_kind: Path, pattern: str) -> Iterator[tuple[str, ...]]:
    """The files of ``rglob`` as parts of their paths: hundreds, listed by every verb, in a third of its time."""
    start = len(folder_of_kind.parts)
    for here, _, names in os.walk(folder_of_kind):
        above = Path(here).parts[start:]
        yield from ((*above, name) for name in fnmatch.filter(names, pattern))


def modules(*parts: str, roots: Roots | None = None) -> dict[str, ModuleType]:
    """Every Python file below a content folder, executed, by dotted id (``gpu.row_remap``), in id order.

    Raises ProblemsError with every file that cannot be loaded, or has the name of a shipped one.
    """
    by_name, problems = _files(roots or shipped(), parts, "*.py")
    executed: dict[str, ModuleType] = {}
    for name, path in by_name.items():
        try:
            executed[name.removesuffix(".py").replace("/", ".")] = _execute_once(path, _stamp(path))
        except ProblemsError as error:
            problems += error.problems
    if problems:
        raise ProblemsError(problems)
    return dict(sorted(executed.items()))


def sha256_of(paths: Iterable[tuple[str, Path]]) -> str:
    """SHA-256 of files by name and bytes; empty without files."""
    lines = [f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode() for name, path in paths]
    return hashlib.sha256(b"".join(lines)).hexdigest() if lines else ""


def site_files(roots: Roots) -> dict[str, Path]:
    """Path below its folder -> file, for all files that the site brings; files compiled by Python are omitted."""
    return {
        path.relative_to(base).as_posix(): path
        for base in roots[1:]
        for path in sorted(base.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def module(*parts: str, near: str = "") -> ModuleType:
    """One Python file of the content, executed (``module("validators", "collectors", "clock")``).

    It is the shipped file, or with `near` (the caller's ``__file__``) that of the same root: so a check of a site gets
    the record that the site's collector defines.
    """
    base = root()
    if near:
        base = next((folder for folder in Path(near).resolve().parents if (folder / parts[0]).is_dir()), base)
    path = base.joinpath(*parts).with_suffix(".py")
    return _execute_once(path, _stamp(path))


@cache
def _execute_once(path: Path, _written: tuple[int, int]) -> ModuleType:
    """The executed module, cached, because judging, gating and the report of one command run the same checks; a changed
    file is executed again.
    """
    return _execute(path)


def _stamp(path: Path) -> tuple[int, int]:
    state = path.stat()
    return state.st_mtime_ns, state.st_size


def _execute(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"rackwright_content.{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ProblemsError([_broken_file_problem(path, ImportError("not a Python file"))])
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise ProblemsError([_broken_file_problem(path, error)]) from error
    return module


def _broken_file_problem(path: Path, error: Exception) -> Problem:
    return Problem(
        place=f"{path}:{_line(path, error)}",
        path="",
        message="content file cannot be loaded",
        expected="a Python file that imports cleanly",
        found=f"{type(error).__name__}: {error}",
        next_step="run it with `python FILE` and mend the error",
        code="content.broken",
    )


def _line(path: Path, error: Exception) -> int:
    """The last line of the file in the traceback of the error."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno or 1
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return (lines[-1] if lines else None) or 1


def undefined(path: Path, name: str, shapes: str, value: object, code: str) -> Problem:
    """The problem of a file in ``validators`` that defines no `name` (``CHECK``) of the right type, but `value`."""
    return Problem(
        place=f"{path}:1",
        path=name,
        message=f"the file defines no {name}",
        expected=f"a last line {shapes}",
        found=type(value).__name__,
        next_step=f"write the line, or move the file out of validators/{name.lower()}s",
        code=code,
    )


def _double(path: Path, name: str) -> Problem:
    return Problem(
        place=f"{path}:1",
        path="",
        message=f"rackwright has a {name} already",
        expected="a name of its own: what is shipped is never replaced in silence",
        found=name,
        next_step="rename the file, or put it into a folder named after the site",
        code="content.double",
    )
