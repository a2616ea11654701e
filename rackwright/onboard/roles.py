"""The roles there are: where each applies, after what, and where its options come from."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import yaml
from pydantic import Field, ValidationError

from rackwright.base import content
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
        return all(_holds(traits.get(name, False), wish) for name, wish in self.hosts.items())


@cache
def ordered_roles() -> tuple[Role, ...]:
    """Every role, in an order in which `after` holds and that depends on names alone.

    ProblemsError when a role's own file is wrong, names an unknown role, or roles wait for each other.
    """
    paths = {path.parent.parent.name: path for path in content.folder("roles").glob("*/meta/rackwright.yml")}
    roles = {name: _read(name, path) for name, path in sorted(paths.items())}
    sorter = TopologicalSorter(
        {name: [before for before in role.after if before in roles] for name, role in roles.items()}
    )
    unknown = [(role.name, before) for role in roles.values() for before in role.after if before not in roles]
    if unknown:
        raise ProblemsError([_problem(paths[name], f"there is no role {before}", "after") for name, before in unknown])
    try:
        sorter.prepare()
    except CycleError as error:
        circle = " -> ".join(error.args[1])
        raise ProblemsError(
            [_problem(paths[error.args[1][0]], f"roles wait for each other: {circle}", "after")]
        ) from None
    return tuple(roles[name] for name in _ordered(sorter))


def _ordered(sorter: TopologicalSorter[str]) -> list[str]:
    order: list[str] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        order += ready
        sorter.done(*ready)
    return order


def _read(name: str, path: Path) -> Role:
    meta = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    specs = yaml.safe_load(path.with_name("argument_specs.yml").read_text(encoding="utf-8"))
    options = specs["argument_specs"]["main"].get("options") or {}
    try:
        tasks = sorted(file.stem for file in path.parents[1].glob("tasks/*.yml"))
        return Role(name=name, options=options, tasks=tasks, **meta)
    except (ValidationError, TypeError) as error:
        raise ProblemsError([_problem(path, " ".join(str(error).split()), "")]) from None


def _holds(trait: object, wish: Wish) -> bool:
    accepted = wish if isinstance(wish, list) else [wish]
    if isinstance(trait, (list, tuple, set, frozenset)):
        return any(value in trait for value in accepted)
    return trait in accepted


def _problem(path: Path, message: str, field: str) -> Problem:
    return Problem(
        place=str(path),
        path=field,
        message=message,
        expected="what roles/README.md describes",
        found=path.parent.parent.name,
        next_step="correct the role",
        code="onboard.bad_role",
    )
