"""A site file with the parts that it includes and the defaults that it declares, as one tree whose values know file and line."""

from __future__ import annotations

import hashlib
import typing
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from rackwright.base import content
from rackwright.base.errors import Problem, ProblemsError, UsageError
from rackwright.model.site import Site
from rackwright.model.texts import SitePath
from rackwright.spec import source
from rackwright.spec.fields import nearest_word
from rackwright.spec.parse import parse_yaml
from rackwright.spec.tree import YamlNode

SITE_FILE = "site.yaml"
INCLUDE = "include"
DEFAULTS = "defaults"
NO_DEFAULT = ("apiVersion", "site", INCLUDE, DEFAULTS)
"""Fields that every site says itself."""
_PATH: TypeAdapter[str] = TypeAdapter(SitePath)
_NAMES = ("name", "sku")
"""Fields that identify an entry of a list."""


def read_site(file: Path, texts: Mapping[str, str] | None = None) -> tuple[YamlNode, list[Problem]]:
    """The tree of the site file `file`, and the problems found while reading it. Its ``include`` lists every part, those of parts as well.

    `texts` replaces the contents of files, by path.

    Raises `ProblemsError` if the file or a part of it cannot be read, and UsageError if `file` itself cannot.
    """
    root, problems = parse_yaml(_text(file, texts), str(file))
    includes = _Includes(file, texts)
    pending = includes.of(root, (file.resolve(),))
    while pending:
        entry, chain = pending.pop(0)
        if part := includes.read(entry, chain):
            pending = includes.of(part, (*chain, includes.path(entry).resolve())) + pending
            _join_includes(root, part)
            _merge(root, part, problems)
    problems += includes.refused
    if includes.unread:
        raise ProblemsError([*problems, *includes.unread])
    defaults = root.value.get(DEFAULTS)
    if defaults and isinstance(defaults.value, dict):
        problems += _misnamed(defaults)
        fill(root, defaults)
    return root, problems


def files(site: Site, file: Path) -> dict[str, Path]:
    """The site file `file` as ``site.yaml``, and every part of `site`, by path in the folder of the site."""
    return {SITE_FILE: file, **{name: file.parent / name for name in site.include}}


def sha256(site: Site, file: Path) -> str:
    """SHA-256 of the site file `file`; if `site` has parts, of all of them by name and bytes."""
    parts = files(site, file)
    return content.sha256_of(parts.items()) if site.include else hashlib.sha256(file.read_bytes()).hexdigest()


def _text(file: Path, texts: Mapping[str, str] | None) -> str:
    return texts[str(file)] if texts and str(file) in texts else source.read_source(file)


class _Includes:
    """Reads each part once; `unread` holds the problems of missing parts, without which the rest cannot be judged."""

    def __init__(self, site_file: Path, texts: Mapping[str, str] | None) -> None:
        self._texts = texts
        self._folder = site_file.parent
        self._seen = {site_file.resolve(): str(site_file)}
        """Part -> where it was included."""
        self.refused: list[Problem] = []
        self.unread: list[Problem] = []

    def of(self, node: YamlNode, chain: tuple[Path, ...]) -> list[tuple[YamlNode, tuple[Path, ...]]]:
        """The parts that a file includes, with the files that lead to them; a malformed path is left to the schema."""
        listed = node.value.get(INCLUDE)
        entries = listed.value if listed and isinstance(listed.value, list) else []
        return [(entry, chain) for entry in entries if _is_path(entry.value)]

    def path(self, entry: YamlNode) -> Path:
        """Path of a part, relative to the folder of the site file even if a part includes it."""
        return self._folder / str(entry.value)

    def read(self, entry: YamlNode, chain: tuple[Path, ...]) -> YamlNode | None:
        """The tree of the part that `entry` names; None if it was refused or cannot be read."""
        path = self.path(entry)
        part = path.resolve()
        if part in chain:
            names = [step.name for step in (*chain[chain.index(part) :], part)]
            self._refuse(
                entry, "include_loop", "the include leads back to itself", "parts that do not include each other",
                " -> ".join(names), "remove this line",
            )  # fmt: skip
            return None
        if part in self._seen:
            self._refuse(
                entry, "included_twice", f"{entry.value} is included twice", "every part once",
                f"also {self._seen[part]}", "keep one of the two lines",
            )  # fmt: skip
            return None
        if entry.value == SITE_FILE:
            self._refuse(
                entry, "part_name", "a part has the name of a site file", f"a part that is not called {SITE_FILE}",
                SITE_FILE, "move what both sites share into a file of another name, and include that in both",
            )  # fmt: skip
            return None
        self._seen[part] = f"{entry.file}:{entry.line}"
        if not path.is_file():
            there = sorted(file.name for file in path.parent.glob("*.yaml")) if path.parent.is_dir() else []
            guess = nearest_word(path.name, there)
            step = f"did you mean {guess}?" if guess else "write the file, or remove this line"
            self.unread.append(_problem(entry, "no_part", "there is no such part", f"a file {path}", "none", step))
            return None
        try:
            root, problems = parse_yaml(_text(path, self._texts), str(path))
        except ProblemsError as error:
            self.unread += error.problems
            return None
        except UsageError as error:
            step = "mend it, or remove this line"
            self.unread.append(_problem(entry, "no_part", "a part cannot be read", "a readable file", str(error), step))
            return None
        self.refused += problems
        return root

    def _refuse(self, entry: YamlNode, *texts: str) -> None:
        self.refused.append(_problem(entry, *texts))


def _is_path(value: Any) -> bool:
    try:
        _PATH.validate_python(value)
    except ValidationError:
        return False
    return True


def _join_includes(root: YamlNode, part: YamlNode) -> None:
    """Move the includes of a part to those of the site file."""
    nested = part.value.pop(INCLUDE, None)
    if nested and isinstance(nested.value, list):
        listed = root.value[INCLUDE]
        root.value[INCLUDE] = replace(listed, value=[*listed.value, *nested.value])


def _merge(node: YamlNode, part: YamlNode, problems: list[Problem]) -> None:
    """Merge `part` into `node`: mappings key by key, lists of entries appended; anything else declared twice is a problem."""
    node.value, node.keys = dict(node.value), dict(node.keys)  # an alias may share them
    for key, theirs in part.value.items():
        mine = node.value.get(key)
        if mine is None:
            node.value[key], node.keys[key] = theirs, part.keys[key]
        elif isinstance(mine.value, dict) and isinstance(theirs.value, dict):
            node.value[key] = replace(mine)
            _merge(node.value[key], theirs, problems)
        elif _is_entries(mine) and _is_entries(theirs):
            node.value[key] = replace(mine, value=_joined(mine, theirs, problems))
        else:
            place = YamlNode(part.keys[key], None, file=theirs.file)
            problems.append(_twice(place, key, f"{mine.file}:{node.keys[key]}"))


def _is_entries(node: YamlNode) -> bool:
    return isinstance(node.value, list) and all(isinstance(entry.value, dict) for entry in node.value)


def _joined(mine: YamlNode, theirs: YamlNode, problems: list[Problem]) -> list[YamlNode]:
    names = {name: entry for entry in mine.value if (name := _name(entry))}
    result = list(mine.value)
    for entry in theirs.value:
        if (name := _name(entry)) in names:
            problems.append(_twice(entry, name, f"{names[name].file}:{names[name].line}"))
        else:
            result.append(entry)
    return result


def _name(entry: YamlNode) -> str:
    """Name of an entry; empty for one without."""
    return next((str(entry.value[key].value) for key in _NAMES if key in entry.value), "")


def _misnamed(defaults: YamlNode) -> Iterator[Problem]:
    fields = sorted(Site.model_fields.keys() - set(NO_DEFAULT))
    for key, default in defaults.value.items():
        if key not in fields:
            guess = nearest_word(key, fields)
            step = f"did you mean {guess}?" if guess else "remove it"
            place = YamlNode(defaults.keys[key], None, file=default.file)
            expected = f"one of {', '.join(fields)}"
            yield _problem(place, "no_default", "this field has no default", expected, key, step)


def fill(root: YamlNode, defaults: YamlNode) -> list[str]:
    """Give the sections of a site, and the entries of its lists, the keys of `defaults` that they lack; returns which (``facility.power``)."""
    filled: list[str] = []
    for key, default in defaults.value.items():
        section = root.value.get(key)
        if key in NO_DEFAULT or key not in Site.model_fields:
            continue
        if isinstance(default.value, dict) and section is not None:
            entries = section.value if isinstance(section.value, list) else [section]
            filled += [f"{key}.{field}" for field in default.value if any(_lacks(entry, field) for entry in entries)]
            entries = [_filled(entry, default) for entry in entries]
            root.value[key] = replace(section, value=entries) if isinstance(section.value, list) else entries[0]
        elif section is None and not (_is_list(key) and isinstance(default.value, dict)):
            root.value[key], root.keys[key] = default, defaults.keys[key]
            filled.append(key)
    return filled


def _lacks(entry: YamlNode, field: str) -> bool:
    return isinstance(entry.value, dict) and field not in entry.value


def _is_list(field: str) -> bool:
    """Whether a field of the site is a list of entries, so that a mapping is the default of each of them."""
    return typing.get_origin(Site.model_fields[field].annotation) is list


def _filled(entry: YamlNode, default: YamlNode) -> YamlNode:
    if not isinstance(entry.value, dict):
        return entry
    return replace(entry, value=default.value | entry.value, keys=default.keys | entry.keys)


def _twice(place: YamlNode, thing: str, also: str) -> Problem:
    step = "keep one of the two; what a part may leave open stands under defaults"
    return _problem(
        place, "declared_twice", f"{thing} is declared in two parts", "every field in one part", f"also {also}", step
    )


def _problem(node: YamlNode, code: str, message: str, expected: str, actual: str, next_step: str) -> Problem:
    return Problem(f"{node.file}:{node.line}", "", message, expected, actual, next_step, f"spec.{code}")
