"""One role as its own files describe it: where it applies, after what, and where its options come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field, ValidationError

from rackwright.base import yaml_text
from rackwright.base.errors import Problem, ProblemsError
from rackwright.model.base import Record

Wish = bool | str | int | list[str | bool | int]


class Role(Record):
    """One role of ``roles/``."""

    name: str
    summary: str
    after: list[str] = []
    """Roles that come before it, where a host has both."""
    hosts: dict[str, Wish] = {}
    """Traits of the nodes that it is for (`traits`): every one must hold, and a list holds any of."""
    inputs: dict[str, str] = {}
    """Option -> where its value comes from: ``software.<field>``, ``node.<fact>``, ``site.<fact>``."""
    verified_on: list[str] = []
    """Operating systems on which the twin runs it for real; for others it is declared."""
    seen_by_verify: bool = False
    """What its own tasks (``act``, ``join``) bring about is looked at by its ``verify``, so that they can be left out when that holds."""
    replaces: str = ""
    """Shipped role in whose place it stands; only of a role of a site, and only when the site says so."""
    expires: date | None = None
    """Last day of a role of a site: what was written for one incident must not stay for ever in silence."""
    options: dict[str, dict[str, Any]] = Field(default={}, exclude=True)
    """Its argument specification."""
    tasks: list[str] = Field(default=[], exclude=True)
    """Names of its files of ordinary tasks (``act``, ``join``, ``check``)."""

    @property
    def required(self) -> frozenset[str]:
        """Options without a default."""
        return frozenset(name for name, option in self.options.items() if option.get("required"))

    @property
    def declared(self) -> bool:
        """Whether its declarations say all that has to be looked at to know that nothing is left to do."""
        return self.seen_by_verify or not {"act", "join"} & set(self.tasks)

    def applies(self, traits: Mapping[str, object]) -> bool:
        """Whether a node with `traits` gets this role."""
        return all(_trait_holds(traits.get(name, False), wish) for name, wish in self.hosts.items())


def read_role(name: str, path: Path) -> Role:
    """The role whose ``meta/rackwright.yml`` is `path`. Raises ProblemsError when its files are not of that shape."""
    specs_path = path.with_name("argument_specs.yml")
    meta = _yaml(path)
    specs = _yaml(specs_path)
    try:
        options = specs["argument_specs"]["main"].get("options") or {}
    except (KeyError, TypeError, AttributeError):
        raise ProblemsError(
            [problem(specs_path, "argument_specs", "there is no argument_specs.main", "its options, or {}")]
        ) from None
    tasks = sorted(file.stem for file in path.parents[1].glob("tasks/*.yml"))
    try:
        return Role.model_validate({**meta, "name": name, "options": options, "tasks": tasks})
    except ValidationError as error:
        raise ProblemsError(
            [
                problem(path, ".".join(map(str, detail["loc"])), str(detail["msg"]), "what roles/README.md describes")
                for detail in error.errors(include_url=False)
            ]
        ) from None


def problem(path: Path, field: str, message: str, expected: str, step: str = "correct the role") -> Problem:
    """A problem of the file `path` of a role, at the line of `field`."""
    return Problem(
        place=f"{path}:{_line(path, field)}",
        path=field,
        message=message,
        expected=expected,
        found=path.parent.parent.name,
        next_step=step,
        code="onboard.bad_role",
    )


def _yaml(path: Path) -> dict[str, Any]:
    try:
        data = yaml_text.load(path.read_text(encoding="utf-8"))
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        wrong = problem(path, "", f"not YAML: {error.problem} (line {line})", "a YAML mapping")
        raise ProblemsError([replace(wrong, place=f"{path}:{line}")]) from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise ProblemsError([problem(path, "", f"cannot be read: {reason}", "a YAML file")]) from None
    if not isinstance(data, dict):
        raise ProblemsError([problem(path, "", "is no mapping", "a YAML mapping")])
    return data


def _line(path: Path, field: str) -> int:
    """The line of a top-level key; the first one where it does not stand."""
    key = f"{field.partition('.')[0]}:"
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []
    return next((number for number, text in enumerate(lines, start=1) if field and text.startswith(key)), 1)


def _trait_holds(trait: object, wish: Wish) -> bool:
    accepted = wish if isinstance(wish, list) else [wish]
    if isinstance(trait, (list, tuple, set, frozenset)):
        return any(value in trait for value in accepted)
    return trait in accepted
