"""The packages that a repository offers, for apt and rpm alike, with what they need and provide.

An index lists up to 70,000 packages, of which a site wants some hundred: a `Listing` keeps each entry as text and
parses only entries that are looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from urllib.parse import unquote

Relation = str
"""``<<  <=  =  >=  >>``, or empty for any version."""


@dataclass(frozen=True)
class Need:
    """A package by name and, where it matters, version."""

    name: str
    relation: Relation = ""
    version: str = ""

    def __str__(self) -> str:
        return f"{self.name} ({self.relation} {self.version})" if self.relation else self.name


@dataclass(frozen=True)
class Offer:
    """One package that a repository carries."""

    name: str
    version: str
    """With epoch where there is one."""
    architecture: str
    url: str
    size: int
    sha256: str
    needs: tuple[tuple[Need, ...], ...]
    """All of the groups; of each group any one."""
    provides: tuple[Need, ...]
    text: str = field(repr=False)
    """The entry of the index."""
    upstream: str = ""
    fingerprint: str = ""
    """Key that signed the index."""
    preferred: bool = False
    """Whether the mirror carries it already, which is preferred."""
    path: str = ""
    """Where it lies below the mirror's folder; empty for what an upstream offers."""
    home: int = 0
    """How much its upstream is the place for packages of this name; the most counts."""

    @property
    def file_name(self) -> str:
        """Name of the file, without any path that an unsigned index may have put into its URL."""
        return PurePosixPath(unquote(self.url.rsplit("/", 1)[-1])).name

    @property
    def place(self) -> str:
        """Path of the file below the root of its repository, for offers of the mirror itself."""
        return unquote(self.url).lstrip("/")


class Listing:
    """The packages of one repository by name and by what they provide."""

    def __init__(self, upstream: str, parse: Callable[[str], Offer]) -> None:
        self.upstream = upstream
        self._parse = parse
        self.modules = ""
        """Module streams of an rpm repository: its YAML, as it has it."""
        self._texts: dict[str, list[str]] = {}
        self._providers: dict[str, list[str]] = {}
        self._parsed: dict[str, Offer] = {}

    def add(self, name: str, text: str, provides: Iterable[str]) -> None:
        """Add one entry of the index."""
        self._texts.setdefault(name, []).append(text)
        for provided in provides:
            self._providers.setdefault(provided, []).append(text)

    def drop(self, dropped: Callable[[str], bool]) -> None:
        """Remove the packages for whose name `dropped` is true."""
        self._texts = {name: texts for name, texts in self._texts.items() if not dropped(name)}
        remaining = {text for texts in self._texts.values() for text in texts}
        self._providers = {
            name: [text for text in texts if text in remaining] for name, texts in self._providers.items()
        }

    def offers_named(self, name: str) -> list[Offer]:
        """The packages of this name."""
        return [self._offer(text) for text in self._texts.get(name, ())]

    def offers_providing(self, name: str) -> list[Offer]:
        """The packages of other names that stand in for it."""
        return [self._offer(text) for text in self._providers.get(name, ())]

    @cached_property
    def size(self) -> int:
        """How many packages there are."""
        return sum(len(texts) for texts in self._texts.values())

    @property
    def all(self) -> list[Offer]:
        """Every package, parsed."""
        return [offer for name in self._texts for offer in self.offers_named(name)]

    def _offer(self, text: str) -> Offer:
        if text not in self._parsed:
            self._parsed[text] = self._parse(text)
        return self._parsed[text]
