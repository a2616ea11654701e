"""The systems on which roles were carried out, at least on the twin: what `check` accepts of ``software.os``."""

from __future__ import annotations

from collections.abc import Iterator

from rackwright.base.errors import Problem
from rackwright.model.design import Design, Node
from rackwright.model.software import BASES
from rackwright.onboard import plan, roles

PAGE = "roles/README.md says which role is rehearsed on which system"


def unknown_systems(design: Design) -> Iterator[Problem]:
    """Systems that no role has ever been carried out on."""
    rehearsed = sorted({name for role in roles.ordered_roles(design.roots) for name in role.verified_on})
    for path, system in _declared_systems(design).items():
        if system not in rehearsed:
            yield Problem(
                place="site",
                path=path,
                message=f"no role has been rehearsed on {system}",
                expected=f"one of {', '.join(rehearsed)}",
                found=system,
                next_step=f"declare a system that onboarding is rehearsed on; {PAGE}",
                code="onboard.system_not_rehearsed",
            )


def misplaced_systems(design: Design, kinds: list[Node]) -> Iterator[Problem]:
    """Systems of a maker's servers on control servers; of those on pools the rules of `compat` say which they are for."""
    pools = {pool.name for pool in design.site.pools}
    for node in kinds:
        bill = design.site.software.bill(node.pool)
        if node.pool not in pools and bill.system in BASES:
            yield Problem(
                place="site",
                path="software.os",
                message=f"{bill.system} is installed on the servers of its maker alone, and the {node.role} servers are none",
                expected=f"the distribution that it is built on: {bill.base}",
                found=bill.system,
                next_step=f"write os: {bill.base} in software, and os: {bill.system} in software.pools of the pools that have it",
                code="onboard.system_misplaced",
            )


def unrehearsed_roles(design: Design, kinds: list[Node]) -> Iterator[Problem]:
    """Roles of nodes whose system knows onboarding, but not these. A role of a site may leave ``verified_on`` out: who wrote it knows."""
    lacking: dict[tuple[str, str, str, str], list[str]] = {}
    unknown = {problem.found for problem in unknown_systems(design)}
    for node in kinds:
        bill = design.site.software.bill(node.pool)
        for role in plan.node_roles(design, node, bill) if bill.system not in unknown else []:
            if role.verified_on and bill.system not in role.verified_on:
                key = role.name, ", ".join(role.verified_on), bill.system, _path(design, node.pool)
                lacking.setdefault(key, []).append(node.pool or f"the {node.role} servers")
    for (role_name, verified, system, path), pools in lacking.items():
        yield Problem(
            place="site",
            path=path,
            message=f"role {role_name} has not been rehearsed on {system} ({' and '.join(dict.fromkeys(pools))})",
            expected=f"one of {verified}",
            found=system,
            next_step=f"declare one of them, or leave out what the role is for; {PAGE}",
            code="onboard.role_not_rehearsed",
        )


def _declared_systems(design: Design) -> dict[str, str]:
    software = design.site.software
    pools = {f"software.pools.{name}.os": bill.os for name, bill in software.pools.items() if bill.os}
    return {"software.os": software.system, **pools}


def _path(design: Design, pool: str) -> str:
    path = f"software.pools.{pool}.os"
    return path if path in _declared_systems(design) else "software.os"
