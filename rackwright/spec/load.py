"""From a path to a checked site: read, parse, validate, cross-check; each step only when the one before was clean."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from rackwright import catalog
from rackwright.catalog import Catalog
from rackwright.errors import Problem, ProblemsError, UsageError
from rackwright.model.site import Site
from rackwright.spec import crosscheck, source, tree, validate
from rackwright.spec.fields import parse_path


@dataclass(frozen=True)
class Loaded:
    """A site that passed, with the catalog it draws from."""

    site: Site
    catalog: Catalog
    path: Path
    """The site file itself, also when its folder was named."""
    root: tree.Node

    def where(self, field_path: str) -> str:
        """``file:line`` of a field (``pools[0].count``), or of the nearest thing above it that stands in the file."""
        return f"{self.path}:{self.root.line_of(parse_path(field_path))}"

    def located(self, problems: Iterable[Problem]) -> ProblemsError:
        """Problems of a later stage that know only the field, with their line in the site file."""
        return ProblemsError(replace(problem, place=self.where(problem.path)) for problem in problems)


def load(path: Path) -> Loaded:
    """Read the site at `path` (``site.yaml`` or the folder that holds it).

    Raises `UsageError` when there is no file to read and `ProblemsError` with every mistake otherwise.
    """
    file = site_file(path)
    root = tree.parse(source.read(file), str(file))
    data = root.plain()
    site, problems = validate.site(data, root, str(file))
    parts, part_problems = validate.parts(data, root, str(file))
    problems += part_problems
    if problems or site is None:
        raise ProblemsError(problems)
    loaded = Loaded(site, catalog.load(parts), file, root)
    found = crosscheck.run(site, loaded.catalog, file.parent)
    if found:
        raise loaded.located(found)
    return loaded


def site_file(path: Path) -> Path:
    """The site file that `path` means."""
    if path.is_dir():
        file = path / "site.yaml"
        if not file.is_file():
            raise UsageError(f"{path} is a folder without site.yaml; name a site file or the folder that holds it")
        return file
    if not path.exists():
        raise UsageError(f"{path} does not exist; name a site file or the folder that holds it")
    if not path.is_file():
        raise UsageError(f"{path} is not a regular file; name a site file or the folder that holds it")
    return path
