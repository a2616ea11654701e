"""The recipes of `rackwright mirror build`, as ``recipes.yaml`` has them; that file says what each field means. Pure but for reading it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AliasChoices, Field

from rackwright.base.errors import UsageError
from rackwright.base.tables import load_tables
from rackwright.model.base import Record
from rackwright.model.software import OperatingSystem

DATA = Path(__file__).with_name("recipes.yaml")
Packager = Literal["dpkg", "rpm"]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Words = Mapping[str, str]
WORD = re.compile(r"{([a-z_]+)}")
"""A word of a recipe; other braces mean themselves."""


class BuildNeed(Record):
    """A program or package that the build host must have."""

    program: str = ""
    pattern: str = ""
    """Regular expression whose first group is the version in what ``PROGRAM --version`` prints."""
    version: str = ""
    """Pattern (`fnmatch`) that the version must match; empty for any."""
    packages: dict[Packager, str] = {}
    """What to install for it."""


class PackagingNeed(BuildNeed):
    """What makes packages of one kind."""

    packager: Packager
    source: str
    date: object


class BuiltPackage(Record):
    """One package that a recipe makes of files of its build."""

    summary: str
    depends: dict[Packager, list[str]] = {}
    files: dict[str, str]
    """Path on the node -> path in the folder of the source."""


class CollectedPackages(Record):
    """Packages that the packaging of the project itself makes."""

    packages: list[str]
    files: str
    """Pattern of their files in the folder of the source."""


class Recipe(Record):
    """How one software is built on some operating systems. The data file says what each field means."""

    name: str
    bill_field: str = Field("", validation_alias=AliasChoices("for", "bill_field"))
    declared: dict[str, bool] = {}
    what: str
    distribution: str = ""
    release: str = "1"
    url: str = ""
    versions: dict[str, Sha256]
    folder: str
    os: dict[OperatingSystem, dict[str, str]]
    by_cuda_major: dict[str, dict[str, str]] = {}
    environment: dict[str, str] = {}
    steps: list[list[str]]
    packages: dict[str, BuiltPackage] = {}
    collect: CollectedPackages | None = None
    driver_libraries: dict[str, str] = {}
    needs: list[BuildNeed] = []
    source: str
    date: object

    @property
    def makes(self) -> list[str]:
        """The packages that a build must yield."""
        return self.collect.packages if self.collect else list(self.packages)


class Recipes(Record):
    """The whole data file."""

    recipes: list[Recipe]
    packaging: list[PackagingNeed]

    def only(self, names: Sequence[str]) -> Recipes:
        """These recipes alone, all where no name is given; UsageError for a name that no recipe has."""
        there = sorted({recipe.name for recipe in self.recipes})
        unknown = [name for name in names if name not in there]
        if unknown:
            raise UsageError(f"--only {unknown[0]}: no recipe has this name; there are {', '.join(there)}")
        chosen = [recipe for recipe in self.recipes if not names or recipe.name in names]
        return self.model_copy(update={"recipes": chosen})


def load_recipes(path: Path | None = None) -> Recipes:
    """The recipes of `path`, by default those of this package; ProblemsError with the line of every mistake.

    Tools that make packages are those of this package where `path` names none.
    """
    if path is not None and not path.is_file():
        raise UsageError(f"--recipes {path}: No such file; give a file like {DATA}")
    shapes: dict[str, type[Any]] = {"recipes": Recipe, "packaging": PackagingNeed}
    tables = load_tables(path or DATA, shapes)
    if not tables["recipes"]:
        raise UsageError(f"--recipes {path}: it names no recipe; give a file like {DATA}")
    packaging = tables["packaging"] or load_tables(DATA, shapes)["packaging"]
    return Recipes(recipes=[row.record for row in tables["recipes"]], packaging=[row.record for row in packaging])


def fill(text: str, words: Words) -> str:
    """`text` with its words; KeyError for one that is not among `words`."""
    return WORD.sub(lambda match: words[match[1]], text)
