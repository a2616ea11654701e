"""The folder that a site brings beside its file (``site_folder``): the roots of its content, and the parts in it.

Other content of the folder is read by the stages that own it; here only what a design needs, and files in places that no stage reads.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rackwright import catalog
from rackwright.base import content
from rackwright.base.errors import Problem, ProblemsError
from rackwright.spec import source, validate
from rackwright.spec.parse import parse_yaml

HELD: Mapping[str, tuple[str, ...]] = {
    "": ("catalog", "roles", "twin", "validators", "README.md"),
    "catalog": catalog.FOLDERS,
    "twin": ("packages", "tools", "vendors"),
    "validators": ("checks", "collectors", "gates.yaml", "limits"),
}
"""By path: all that may lie there."""


def roots(data: Any, folder: Path) -> content.Roots:
    """The roots of the site whose plain data is `data` and whose file is in `folder`; without a readable key, the shipped root alone."""
    name = data.get("site_folder") if isinstance(data, dict) else None
    site_folder = folder / name if isinstance(name, str) and name else None
    return (
        (*content.shipped(), site_folder.resolve())
        if site_folder is not None and site_folder.is_dir()
        else content.shipped()
    )


def read(folder: Path) -> catalog.Catalog:
    """The catalog with the parts of a site's folder, for a site that is still to be written. ProblemsError with every mistake in it."""
    own_roots = (*content.shipped(), folder.resolve())
    own_parts, mistakes = parts(own_roots, ())
    if mistakes := [*mistakes, *problems(own_roots)]:
        raise ProblemsError(mistakes)
    return catalog.load(own_parts, own_roots)


def problems(site_roots: content.Roots) -> Iterator[Problem]:
    """Problems of files and folders in places that no stage reads."""
    for base in site_roots[1:]:
        for below, allowed in HELD.items():
            for path in sorted((base / below).glob("*")):
                if path.name not in allowed and path.name[0] not in "._":
                    yield _not_looked_at(path, allowed)


def parts(site_roots: content.Roots, declared: Iterable[str]) -> tuple[list[dict[str, Any]], list[Problem]]:
    """The parts below ``catalog/``, and every mistake in them; `declared` are the SKUs of the site file."""
    skus = {*declared, *catalog.load().skus()} if len(site_roots) > 1 else set()
    good: list[dict[str, Any]] = []
    mistakes: list[Problem] = []
    for base in site_roots[1:]:
        for path in sorted(path for kind in catalog.FOLDERS for path in (base / "catalog" / kind).glob("*.yaml")):
            try:
                root, wrong = parse_yaml(source.read_source(path), str(path))
            except ProblemsError as error:
                mistakes += error.problems
                continue
            wrong += validate.validate_part(root.plain(), root)
            wrong += [] if wrong else _misplaced_parts(path, root.plain(), skus)
            mistakes += wrong
            good += [] if wrong else [root.plain()]
    return good, mistakes


def _misplaced_parts(path: Path, data: dict[str, Any], skus: Container[str]) -> Iterator[Problem]:
    if problem := catalog.misnamed(path, catalog.validate_part(data)):
        yield problem
    if data["sku"] in skus:
        yield Problem(
            place=f"{path}:1",
            path="sku",
            message="the catalog has this part already",
            expected="a SKU of its own: what is shipped is never replaced in silence",
            found=str(data["sku"]),
            next_step="rename file and SKU, or declare the part under catalog in the site file",
            code="spec.double_part",
        )


def _not_looked_at(path: Path, allowed: tuple[str, ...]) -> Problem:
    return Problem(
        place=f"{path}:1",
        path="",
        message="nothing is read from here",
        expected="one of " + ", ".join(allowed),
        found=path.name,
        next_step="rename or remove it; docs/how-to/site-folder.md shows the layout",
        code="spec.not_read",
    )
