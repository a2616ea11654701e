"""The repositories that serve a group of nodes: ``upstreams.yaml``, overridden by the operator's options.

Pure but for reading the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import AliasChoices, Field

from rackwright.base.errors import UsageError
from rackwright.base.tables import load_tables
from rackwright.model.artifact import Architecture
from rackwright.model.base import Record
from rackwright.model.software import Bill, OperatingSystem

DATA = Path(__file__).with_name("upstreams.yaml")
"""And ``upstreams_<vendor>.yaml`` beside it."""
FLAT = "./"
"""Suite of an apt repository without ``dists``."""


class UpstreamKey(Record):
    """The key of a repository: where it is and its fingerprints."""

    file: str = ""
    url: str = ""
    fingerprints: list[str] = []


class Upstream(Record):
    """One repository, for several operating systems and architectures. The data file says what each field means."""

    name: str
    what: str = ""
    type: Literal["apt", "rpm"]
    bill_fields: list[str] = Field([], validation_alias=AliasChoices("for", "bill_fields"))
    os: dict[OperatingSystem, dict[str, str]]
    architecture: dict[Literal["amd64", "arm64"], str]
    url: str
    give: str = ""
    suites: list[str] = [FLAT]
    components: list[str] = []
    signed: Literal["index", "packages"] = "index"
    key: UpstreamKey = UpstreamKey()
    publisher: Literal["vendor", "distribution", "site"] = "vendor"
    packages: list[str] = []
    exclude: list[str] = []
    source: str
    date: object


class VendorFile(Record):
    """Where a vendor file comes from, by the pattern of its name."""

    match: str
    url: str = ""
    by_hand: str = ""
    source: str
    date: object


class Upstreams(Record):
    """The whole data file."""

    upstreams: list[Upstream]
    files: list[VendorFile] = []


class SourceRepository(Record):
    """One repository to read: an upstream for one operating system and architecture, everything filled in."""

    name: str
    type: Literal["apt", "rpm"]
    url: str
    suites: tuple[str, ...]
    components: tuple[str, ...]
    signed: Literal["index", "packages"]
    key: UpstreamKey
    publisher: Literal["vendor", "distribution", "site"]
    public: bool
    """Whether it has an address that anybody may use."""
    bill_fields: tuple[str, ...]
    """Fields of the bill of which any asks for it; empty: every node does."""
    packages: tuple[str, ...]
    exclude: tuple[str, ...]
    reason: str = ""
    """Why it cannot be read; empty when it can."""


@cache
def load_upstreams(path: Path | None = None) -> Upstreams:
    """The upstreams of `path`, by default those of this package; ProblemsError with the line of every mistake. Read once."""
    if path is not None and not path.is_file():
        raise UsageError(f"--upstreams {path}: No such file; give a file like {DATA}")
    files = [path] if path else [DATA, *sorted(DATA.parent.glob(f"{DATA.stem}_*.yaml"))]
    tables = [load_tables(file, {"upstreams": Upstream, "files": VendorFile}) for file in files]
    rows = {key: [row.record for table in tables for row in table[key]] for key in ("upstreams", "files")}
    if not rows["upstreams"]:
        raise UsageError(f"--upstreams {path}: it names no upstream; give a file like {DATA}")
    return Upstreams(**rows)


def override_urls(upstreams: Upstreams, urls: Mapping[str, str]) -> Upstreams:
    """`upstreams` with other URLs: NAME -> URL, or ``URL SUITE [COMPONENT...]`` as in a sources.list; UsageError for an unknown NAME."""
    names = {upstream.name for upstream in upstreams.upstreams}
    unknown = sorted(urls.keys() - names)
    if unknown:
        raise UsageError(f"--upstream {unknown[0]}=...: no such upstream; there are {', '.join(sorted(names))}")
    return upstreams.model_copy(
        update={"upstreams": [_override_url(upstream, urls.get(upstream.name)) for upstream in upstreams.upstreams]}
    )


def select_sources(
    upstreams: Upstreams, bill: Bill, os: OperatingSystem, architecture: Architecture
) -> list[SourceRepository]:
    """The repositories that serve nodes with `bill` on the distribution `os`, in the order of the file."""
    return [
        _fill_in(upstream, bill, os, architecture)
        for upstream in upstreams.upstreams
        if os in upstream.os
        and architecture in upstream.architecture
        and (not upstream.bill_fields or any(getattr(bill, field, "") for field in upstream.bill_fields))
    ]


def vendor_url(upstreams: Upstreams, name: str) -> tuple[str, str]:
    """Where the vendor file `name` is fetched, and the page where a person must fetch it; both empty if unknown."""
    for file in upstreams.files:
        match = re.fullmatch(file.match, name)
        if match:
            return file.url.format(**match.groupdict()), file.by_hand
    return "", ""


def match_length(packages: Iterable[str], name: str) -> int:
    """Length of the longest pattern that matches `name`, 0 if none does; the upstream with the longest match serves the package."""
    return max((len(pattern) for pattern in packages if fnmatchcase(name, pattern)), default=0)


def serving_source(read: Iterable[SourceRepository], name: str) -> SourceRepository | None:
    """Of `read` the repository that is the place for the package `name` (``@stream`` too), else the first of everything; None where there is neither."""
    usable = [source for source in read if not match_length(source.exclude, name)]
    bare = name.removeprefix("@")
    place = max(usable, key=lambda source: match_length(source.packages, bare), default=None)
    if place is None or not match_length(place.packages, bare):
        place = next((source for source in usable if not source.packages), None)
    return place


def _override_url(upstream: Upstream, place: str | None) -> Upstream:
    if not place:
        return upstream
    url, *rest = place.split()
    change: dict[str, object] = {"url": url.rstrip("/").replace("{", "{{").replace("}", "}}")}
    if rest:
        change |= {"suites": rest[:1], "components": rest[1:]}
    return upstream.model_copy(update=change)


def _fill_in(upstream: Upstream, bill: Bill, os: OperatingSystem, architecture: Architecture) -> SourceRepository:
    words = {**bill_words(bill), **upstream.os[os], "architecture": upstream.architecture[architecture]}
    missing = [name for name in re.findall(r"{(\w+)}", upstream.url) if not words.get(name)]
    reason = f"the bill gives no {missing[0].removesuffix('_minor')}" if missing else ""
    if not upstream.url:
        reason = f"its address is the site's to give: --upstream {upstream.name}=URL ({upstream.give})"
    return SourceRepository(
        name=upstream.name,
        type=upstream.type,
        url="" if reason else upstream.url.format(**words),
        suites=tuple(suite.format(**words) for suite in upstream.suites),
        components=tuple(upstream.components),
        signed=upstream.signed,
        key=upstream.key if reason else upstream.key.model_copy(update={"url": upstream.key.url.format(**words)}),
        publisher=upstream.publisher,
        public=bool(upstream.url),
        bill_fields=tuple(upstream.bill_fields),
        packages=tuple(upstream.packages),
        exclude=tuple(upstream.exclude),
        reason=reason,
    )


def bill_words(bill: Bill) -> dict[str, str]:
    """The versions of the bill by field, and of each the first two numbers as ``<field>_minor``."""
    versions = {name: value for name, value in bill if isinstance(value, str) and value}
    return versions | {f"{name}_minor": ".".join(value.split(".")[:2]) for name, value in versions.items()}
