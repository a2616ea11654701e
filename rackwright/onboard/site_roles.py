"""Roles that a site brings: their names cannot be those of shipped roles, and every one ends on a day that it names.

A role of a site is called ``site_<name>`` and so are its options. It stands in the place of a shipped role only when it says so
(``replaces``), and it says until when it holds (``expires``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

from rackwright.base.content import Roots
from rackwright.base.errors import Problem, ProblemsError
from rackwright.onboard.role_file import Role, problem, read_role

PREFIX = "site_"
OF_VENDORS = "accelerator_vendor"
"""The shipped role to which a site may add: the data files of further vendors."""


def paths(folders: Sequence[Path]) -> dict[str, Path]:
    """``meta/rackwright.yml`` of every role of a site, by name; also of folders that lack it."""
    roles = (path for folder in folders for path in sorted((folder / "roles").glob("*")) if path.is_dir())
    return {path.name: path / "meta" / "rackwright.yml" for path in roles if path.name != OF_VENDORS}


def with_site_roles(shipped: Mapping[str, Role], role_paths: Mapping[str, Path]) -> dict[str, Role]:
    """`shipped` and the roles of a site, without those that are replaced. Raises ProblemsError with every mistake in these."""
    roles: dict[str, Role] = {}
    problems: list[Problem] = []
    for name, path in role_paths.items():
        try:
            roles[name] = read_role(name, path)
        except ProblemsError as error:
            problems += error.problems
        else:
            problems += _mistakes(roles[name], path, shipped)
    if problems:
        raise ProblemsError(problems)
    instead = {role.replaces: name for name, role in roles.items() if role.replaces}
    return {
        name: role.model_copy(update={"after": [instead.get(before, before) for before in role.after]})
        for name, role in {**shipped, **roles}.items()
        if name not in instead
    }


def expired(roots: Roots, roles: Sequence[Role], today: date) -> Iterator[Problem]:
    """Roles of the site that do not hold any more."""
    role_paths = paths(roots[1:])
    for role in roles:
        if role.name in role_paths and role.expires and role.expires < today:
            step = "remove the role, or read it again and give it a later day"
            yield problem(role_paths[role.name], "expires", f"held until {role.expires}", f"{today} or later", step)


def _mistakes(role: Role, path: Path, shipped: Mapping[str, Role]) -> Iterator[Problem]:
    if not role.name.startswith(PREFIX):
        yield problem(path, "", "the name may be that of a shipped role", f"a folder {PREFIX}{role.name}", "rename it")
    if role.expires is None:
        step = "add `expires: YYYY-MM-DD`, a day on which somebody reads it again"
        yield problem(path, "expires", "it says no last day", "expires", step)
    if role.replaces and role.replaces not in shipped:
        yield problem(path, "replaces", f"there is no shipped role {role.replaces}", "a role of roles/README.md")
    for option in sorted(name for name in role.options if not name.startswith(f"{role.name}_")):
        specs = path.with_name("argument_specs.yml")
        yield problem(specs, option, f"the option {option} may be that of another role", f"{role.name}_{option}")
    if not role.tasks and not (path.parents[1] / "state.yml").is_file():
        yield problem(path, "", "the role does nothing", "state.yml, or tasks/act.yml", "write what it brings about")
