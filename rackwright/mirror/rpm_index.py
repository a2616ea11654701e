"""Reads the text of rpm repositories: ``repomd.xml`` and ``primary.xml``. It does not know where they are stored.

Only what createrepo_c writes is read; an index with a document type is refused, so no entity is ever expanded.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from xml.etree.ElementTree import Element, ParseError, fromstring

from rackwright.base import foreign
from rackwright.mirror.package_offers import Listing, Need, Offer

RPM = "{http://linux.duke.edu/metadata/rpm}"
COMMON = "{http://linux.duke.edu/metadata/common}"
REPO = "{http://linux.duke.edu/metadata/repo}"
SPACES = 'xmlns="http://linux.duke.edu/metadata/common" xmlns:rpm="http://linux.duke.edu/metadata/rpm"'
ENTRY = re.compile(r"<package type=\"rpm\">.*?</package>", re.DOTALL)
NAME = re.compile(r"<name>([^<]+)</name>")
PROVIDES = re.compile(r"<rpm:provides>(.*?)</rpm:provides>", re.DOTALL)
ENTRY_NAME = re.compile(r"<rpm:entry name=\"([^\"]+)\"")
FILES = re.compile(r"<file[^>]*>([^<]+)</file>")
RELATIONS = {"LT": "<<", "LE": "<=", "EQ": "=", "GE": ">=", "GT": ">>"}
SMALL = foreign.limit("mirror_small")
OWN = ("rpmlib(", "config(")
"""Requirements that rpm itself or the package meets."""


@dataclass(frozen=True)
class RepodataFile:
    """One file of ``repodata``: its path below the repository, digest and size."""

    path: str
    sha256: str
    size: int | None


def parts(text: bytes) -> dict[str, RepodataFile]:
    """The files that ``repomd.xml`` lists, by type; ValueError if it is malformed or lists a file without SHA-256."""
    files = {}
    for data in _document(text).iterfind(f"{REPO}data"):
        location, digest, size = (data.find(f"{REPO}{tag}") for tag in ("location", "checksum", "size"))
        if location is not None and digest is not None and digest.get("type") == "sha256":
            length = int(size.text) if size is not None and size.text else None
            files[data.get("type", "")] = RepodataFile(location.get("href", ""), (digest.text or "").strip(), length)
    if "primary" not in files:
        raise ValueError("it lists no `primary` with a SHA-256")
    return files


def listing(upstream: str, text: str, architecture: str, offer: Callable[[str], Offer]) -> Listing:
    """The packages of a ``primary.xml`` for one architecture (rpm's word for it) and for none."""
    packages = Listing(upstream, offer)
    architectures = re.compile(rf"<arch>(?:{re.escape(architecture)}|noarch)</arch>")
    for entry in ENTRY.findall(text):
        name = NAME.search(entry)
        if name and architectures.search(entry):
            provides = PROVIDES.search(entry)
            provided = set(ENTRY_NAME.findall(provides[1])) if provides else set()
            packages.add(name[1], entry, (provided | set(FILES.findall(entry))) - {name[1]})
    return packages


def parse(entry: str, base: str) -> Offer:
    """One package of ``primary.xml``; `base` is the URL of the repository."""
    package = fromstring(f"<metadata {SPACES}>{entry}</metadata>")[0]  # noqa: S314 - no document type can be in it
    location, digest, size = (package.find(f"{COMMON}{tag}") for tag in ("location", "checksum", "size"))
    if location is None or digest is None or size is None:
        raise ValueError("an entry without location, checksum or size")
    return Offer(
        name=package.findtext(f"{COMMON}name", ""),
        version=_version(package.find(f"{COMMON}version")),
        architecture=package.findtext(f"{COMMON}arch", ""),
        url=f"{base.rstrip('/')}/{location.get('href', '')}",
        size=int(size.get("package", "0")),
        sha256=(digest.text or "").strip() if digest.get("type") == "sha256" else "",
        needs=tuple(
            group for need in _entries(package, "requires") if not need.name.startswith(OWN) for group in _groups(need)
        ),
        provides=(
            *_entries(package, "provides"),
            *(Need(need.text or "") for need in package.iterfind(f".//{COMMON}file")),
        ),
        text=entry,
    )


def streams(modules: str) -> set[str]:
    """The module streams of a ``modules.yaml`` in the form that dnf installs: ``@name:stream``."""
    names = set()
    for document in modules.split("\n---"):
        if re.search(r"^document: modulemd(?:-packager|-stream)?\s*$", document, re.MULTILINE):
            words = dict(re.findall(r"^  (name|stream): [\"']?([^\"'\n]+?)[\"']?\s*$", document, re.MULTILINE))
            if {"name", "stream"} <= words.keys():
                names.add(f"@{words['name']}:{words['stream']}")
    return names


def placed(entry: str, path: str) -> str:
    """The entry for a file at `path` below the repository."""
    return re.sub(r"<location [^>]*/>", f'<location href="{path}"/>', entry)


def compare_versions(first: str, second: str) -> int:
    """rpm's order of versions ``[epoch:]version-release`` (rpm, rpmio/rpmvercmp.c): negative, zero or positive."""
    for a, b in zip(_split_version(first), _split_version(second), strict=True):
        order = _compare_segments(a, b) if a and b else 0
        if order:
            return order
    return 0


def _split_version(version: str) -> tuple[str, str, str]:
    epoch, _, rest = version.rpartition(":")
    number, _, release = rest.partition("-")
    return epoch or "0", number, release


def _compare_segments(first: str, second: str) -> int:
    pieces = r"[0-9]+|[a-zA-Z]+|~|\^"
    for a, b in zip_longest(re.findall(pieces, first), re.findall(pieces, second)):
        rank_a, rank_b = _rank(a), _rank(b)
        if rank_a != rank_b:
            return 1 if rank_a > rank_b else -1
    return 0


def _rank(piece: str | None) -> tuple[int, int, str]:
    """Where a piece of a version stands: a tilde before the end, a caret after it, letters before numbers."""
    if piece is None:
        return 1, 0, ""
    if piece in "~^":
        return (0 if piece == "~" else 2), 0, ""
    return (4, int(piece), "") if piece.isdigit() else (3, 0, piece)


def _document(text: bytes) -> Element:
    if b"<!DOCTYPE" in text:
        raise ValueError("it has a document type, which no repository index has")
    if text.count(b"<") > SMALL.values:
        raise ValueError(f"it has more than {SMALL.values:,} elements, which no repository index has")
    try:
        return fromstring(text)  # noqa: S314 - document types are refused above
    except ParseError as error:
        raise ValueError(f"it is no XML: {error}") from error


def _entries(package: Element, kind: str) -> list[Need]:
    return [
        Need(element.get("name", ""), RELATIONS.get(element.get("flags", ""), ""), _version(element))
        for element in package.iterfind(f".//{RPM}{kind}/{RPM}entry")
    ]


def _version(element: Element | None) -> str:
    if element is None or not element.get("ver"):
        return ""
    epoch, release = element.get("epoch", "0"), element.get("rel", "")
    return (f"{epoch}:" if epoch != "0" else "") + element.get("ver", "") + (f"-{release}" if release else "")


def _groups(need: Need) -> list[tuple[Need, ...]]:
    """A requirement; of a rich one (``(a or b)``, ``(a and b)``, ``(a if b)``) the packages before its condition."""
    if not need.name.startswith("("):
        return [(need,)]
    alternatives = re.split(r"\s(?:if|unless)\s", need.name.strip("()"))[0]
    atoms = [_atom(text) for text in re.split(r"\s(?:or|and)\s", alternatives)]
    return [tuple(atoms)] if " or " in alternatives else [(atom,) for atom in atoms]


def _atom(text: str) -> Need:
    name, *rest = text.split()
    relation, version = rest if len(rest) == 2 else ("", "")
    return Need(name, {"<": "<<", ">": ">>"}.get(relation, relation), version)
