"""Which repositories the nodes of one class are served from: ``upstreams.yaml``, overlaid by what the operator says.

Pure but for reading the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

import yaml
from pydantic import ValidationError

from rackwright.base.errors import Problem, ProblemsError, UsageError
from rackwright.mirror.requested import Group
from rackwright.model.base import Record
from rackwright.model.software import OperatingSystem

DATA = Path(__file__).with_name("upstreams.yaml")
FLAT = "./"
"""Suite of an apt repository without ``dists``."""


class Key(Record):
    """Where the key of a repository is, and by which fingerprints it is known."""

    file: str = ""
    url: str = ""
    fingerprints: list[str] = []


class Upstream(Record):
    """One repository, for several operating systems and architectures. The data file says what each field means."""

    name: str
    what: str = ""
    type: Literal["apt", "rpm"]
    bill_fields: list[str] = []
    os: dict[OperatingSystem, dict[str, str]]
    architecture: dict[Literal["amd64", "arm64"], str]
    url: str
    give: str = ""
    suites: list[str] = [FLAT]
    components: list[str] = []
    signed: Literal["index", "packages"] = "index"
    key: Key = Key()
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


class Source(Record):
    """One repository to read: an upstream for one operating system and architecture, everything filled in."""

    name: str
    type: Literal["apt", "rpm"]
    url: str
    suites: tuple[str, ...]
    components: tuple[str, ...]
    signed: Literal["index", "packages"]
    key: Key
    packages: tuple[str, ...]
    exclude: tuple[str, ...]
    reason: str = ""
    """Why it cannot be read; empty when it can."""


def load(path: Path | None = None) -> Upstreams:
    """The upstreams of `path`, the file of this package when None; ProblemsError when it is not such a file."""
    path = path or DATA
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
        for one in raw["upstreams"]:
            one["bill_fields"] = one.pop("for", [])
        return Upstreams.model_validate(raw)
    except OSError as error:
        raise UsageError(f"--upstreams {path}: {error.strerror}; give a file like {DATA}") from error
    except (yaml.YAMLError, ValidationError, TypeError, KeyError, AttributeError) as error:
        raise ProblemsError([_broken(path, error)]) from error


def overridden(known: Upstreams, urls: Mapping[str, str]) -> Upstreams:
    """`known` with other URLs: NAME -> URL, or ``URL SUITE [COMPONENT...]`` as in a sources.list; UsageError for a NAME unknown."""
    names = {one.name for one in known.upstreams}
    unknown = sorted(urls.keys() - names)
    if unknown:
        raise UsageError(f"--upstream {unknown[0]}=...: no such upstream; there are {', '.join(sorted(names))}")
    return known.model_copy(update={"upstreams": [_moved(one, urls.get(one.name)) for one in known.upstreams]})


def sources(known: Upstreams, group: Group) -> list[Source]:
    """The repositories that serve the nodes of `group`, in the order of the file."""
    return [
        _filled(one, group)
        for one in known.upstreams
        if group.os in one.os
        and group.architecture in one.architecture
        and (not one.bill_fields or any(getattr(group.bill, field, "") for field in one.bill_fields))
    ]


def vendor_url(known: Upstreams, name: str) -> tuple[str, str]:
    """Where the vendor file `name` is fetched, and the page where a person must fetch it; both empty when nobody knows."""
    for one in known.files:
        match = re.fullmatch(one.match, name)
        if match:
            return one.url.format(**match.groupdict()), one.by_hand
    return "", ""


def home(packages: Iterable[str], name: str) -> int:
    """How much an upstream is the place for a package: the length of its longest pattern that fits, 0 for none."""
    return max((len(pattern) for pattern in packages if fnmatchcase(name, pattern)), default=0)


def _moved(one: Upstream, place: str | None) -> Upstream:
    if not place:
        return one
    url, *rest = place.split()
    change: dict[str, object] = {"url": url.rstrip("/").replace("{", "{{").replace("}", "}}")}
    if rest:
        change |= {"suites": rest[:1], "components": rest[1:]}
    return one.model_copy(update=change)


def _filled(one: Upstream, group: Group) -> Source:
    words = {**_versions(group), **one.os[group.os], "architecture": one.architecture[group.architecture]}
    missing = [name for name in re.findall(r"{(\w+)}", one.url) if not words.get(name)]
    reason = f"the bill gives no {missing[0].removesuffix('_minor')}" if missing else ""
    if not one.url:
        reason = f"its address is the site's to give: --upstream {one.name}=URL ({one.give})"
    return Source(
        name=one.name,
        type=one.type,
        url="" if reason else one.url.format(**words),
        suites=tuple(suite.format(**words) for suite in one.suites),
        components=tuple(one.components),
        signed=one.signed,
        key=one.key if reason else one.key.model_copy(update={"url": one.key.url.format(**words)}),
        packages=tuple(one.packages),
        exclude=tuple(one.exclude),
        reason=reason,
    )


def _versions(group: Group) -> dict[str, str]:
    given = {name: value for name, value in group.bill if isinstance(value, str) and value}
    return given | {f"{name}_minor": ".".join(value.split(".")[:2]) for name, value in given.items()}


def _broken(path: Path, error: Exception) -> Problem:
    found: Sequence[str] = str(error).splitlines()
    return Problem(
        place=str(path),
        path="",
        message="not a file of upstreams",
        expected="`upstreams` and `files`, as the file of the package has them",
        found=" ".join(found[:3]),
        next_step=f"compare it with {DATA}",
        code="mirror.bad_upstreams",
    )
