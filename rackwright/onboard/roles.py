"""The roles there are, those of a site among them, in the order of onboarding."""

from __future__ import annotations

from functools import cache
from graphlib import CycleError, TopologicalSorter

from rackwright.base import content
from rackwright.base.errors import ProblemsError
from rackwright.onboard import site_roles
from rackwright.onboard.role_file import Role as Role
from rackwright.onboard.role_file import problem, read_role


@cache
def ordered_roles(roots: content.Roots | None = None) -> tuple[Role, ...]:
    """Every role below `roots` (default: what is shipped), in an order in which `after` holds and that depends on names alone.

    ProblemsError when a role's site_paths file is wrong, names an unknown role, or roles wait for each other.
    """
    first, *folders = roots or content.shipped()
    paths = {path.parent.parent.name: path for path in (first / "roles").glob("*/meta/rackwright.yml")}
    roles = {name: read_role(name, path) for name, path in sorted(paths.items())}
    site_paths = site_roles.paths(folders)
    roles = site_roles.with_site_roles(roles, site_paths)
    paths |= site_paths
    sorter = TopologicalSorter(
        {name: [before for before in role.after if before in roles] for name, role in roles.items()}
    )
    unknown = [(role.name, before) for role in roles.values() for before in role.after if before not in roles]
    if unknown:
        raise ProblemsError(
            [problem(paths[name], "after", f"there is no role {before}", "a role") for name, before in unknown]
        )
    try:
        sorter.prepare()
    except CycleError as error:
        circle = " -> ".join(error.args[1])
        raise ProblemsError(
            [problem(paths[error.args[1][0]], "after", f"roles wait for each other: {circle}", "an order")]
        ) from None
    return tuple(roles[name] for name in _ordered_roles(sorter))


def _ordered_roles(sorter: TopologicalSorter[str]) -> list[str]:
    order: list[str] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        order += ready
        sorter.done(*ready)
    return order
