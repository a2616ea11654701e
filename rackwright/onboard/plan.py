"""The Ansible inventory of a design: which host has which roles, and the options of the roles."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rackwright.base import elevation
from rackwright.base.content import Roots
from rackwright.base.errors import Problem, ProblemsError
from rackwright.model.access import Access
from rackwright.model.design import Design, Node
from rackwright.model.inventory import Inventory
from rackwright.model.software import Bill
from rackwright.onboard import facts, roles
from rackwright.onboard.roles import Role
from rackwright.onboard.traits import traits


def inventory(design: Design, nodes: Sequence[str], access: Access, files: Mapping[str, Path]) -> Inventory:
    """Hosts, groups and variables for `nodes`; the site-wide facts (names, slurm.conf) cover the whole design.

    `files` are paths of secrets (``munge_key``): the secrets themselves never enter the inventory. KeyError for a node that
    the design does not have; ProblemsError when the software bill lacks what a role needs, or names an option that no role has.
    """
    context = facts.Context(design, files)
    by_name = {node.name: node for node in design.nodes()}
    members = [by_name[name] for name in nodes]
    bills = {pool: design.site.software.bill(pool) for pool in {node.pool for node in members}}
    chosen = {node.name: node_roles(design, node, bills[node.pool]) for node in members}
    problems = [
        problem for pool, bill in sorted(bills.items()) for problem in _unknown_options(pool, bill, design.roots)
    ]
    hosts = {node.name: _host(node, chosen[node.name], bills[node.pool], context, problems) for node in members}
    if problems:
        raise ProblemsError(list(dict.fromkeys(problems)))
    groups: dict[str, list[str]] = {}
    for name, roles_of_node in chosen.items():
        for role in roles_of_node:
            groups.setdefault(role.name, []).append(name)
    variables = {**_reach(access), **_site_inputs(chosen, context)}
    return Inventory(hosts=hosts, groups=groups, variables=variables, roots=design.roots)


def node_roles(design: Design, node: Node, bill: Bill) -> list[Role]:
    """The roles of one node, in the order of onboarding. A server SKU may add roles, and does not decide for a scheduler."""
    node_traits = traits(design, node, bill)
    added = {
        role.name
        for role in roles.ordered_roles(design.roots)
        if role.name in node_traits["roles"] and "scheduler" not in role.hosts
    }
    return [role for role in roles.ordered_roles(design.roots) if role.applies(node_traits) or role.name in added]


def host_variables(node: Node, node_roles: Sequence[Role], bill: Bill, context: facts.Context) -> dict[str, Any]:
    """All Ansible variables of one host, including site-wide inputs of its roles."""
    return {**_host(node, node_roles, bill, context, []), **_site_inputs({node.name: node_roles}, context)}


def _host(
    node: Node, node_roles: Sequence[Role], bill: Bill, context: facts.Context, problems: list[Problem]
) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for role in node_roles:
        values |= {
            option: _value(where, node, bill, context) for option, where in role.inputs.items() if not _of_site(where)
        }
        values |= {name: value for name, value in bill.options.items() if name in role.options}
        problems += [
            _missing(node, role, option)
            for option in sorted(role.required)
            if not _of_site(role.inputs.get(option, "")) and _is_empty(values.get(option))
        ]
    return {
        "ansible_host": node.inband_address,
        "rackwright_rack": node.rack,
        "rackwright_pool": node.pool,
        "rackwright_accelerators": node.accelerators,
        "rackwright_os": bill.system,
        "rackwright_roles": [role.name for role in node_roles],
        "rackwright_acts": [role.name for role in node_roles if "act" in role.tasks],
        "rackwright_joins": [role.name for role in node_roles if "join" in role.tasks],
        "rackwright_checks": [role.name for role in node_roles if "check" in role.tasks],
        "rackwright_look": all(role.declared for role in node_roles),
        **{option: value for option, value in values.items() if not _is_empty(value)},
    }


def _site_inputs(chosen: Mapping[str, Sequence[Role]], context: facts.Context) -> dict[str, Any]:
    """Inputs that are the same for every host, computed once."""
    sources = {
        option: where
        for role in {role.name: role for node_roles in chosen.values() for role in node_roles}.values()
        for option, where in role.inputs.items()
        if _of_site(where)
    }
    values = {option: facts.of_site()[where.removeprefix("site.")](context) for option, where in sources.items()}
    return {option: value for option, value in sorted(values.items()) if not _is_empty(value)}


def _value(where: str, node: Node, bill: Bill, context: facts.Context) -> Any:
    kind, _, name = where.partition(".")
    return getattr(bill, name) if kind == "software" else facts.of_node()[name](context, node)


def _of_site(where: str) -> bool:
    return where.startswith("site.")


def _is_empty(value: Any) -> bool:
    return value is None or value == "" or value == [] or value == {}


def _missing(node: Node, role: Role, option: str) -> Problem:
    where = role.inputs.get(option, f"software.options.{option}")
    return Problem(
        place="site",
        path=where,
        message=f"pool {node.pool or 'of the control servers'} needs it: role {role.name}, option {option}",
        expected=str(role.options[option].get("description", "a value")),
        found="nothing",
        next_step=f"give {where} in the site file, or in software.pools.{node.pool or 'NAME'}",
        code="onboard.missing_input",
    )


def _unknown_options(pool: str, bill: Bill, roots: Roots) -> list[Problem]:
    options = {name for role in roles.ordered_roles(roots) for name in role.options}
    return [
        Problem(
            place="site",
            path=f"software.options.{name}",
            message=f"no role has this option (pool {pool})",
            expected="an option of roles/*/meta/argument_specs.yml",
            found=name,
            next_step="correct the name: roles/README.md lists the roles, and each README its options",
            code="onboard.unknown_option",
        )
        for name in bill.options
        if name not in options
    ]


def _reach(access: Access) -> dict[str, Any]:
    """SSH with the site's key, and with host keys that were known before; an unknown or changed host key is refused."""
    trust = ["-o", f"UserKnownHostsFile={access.known_hosts}", "-o", "GlobalKnownHostsFile=/dev/null"]
    return {
        "ansible_user": access.ssh_user,
        "ansible_become": access.ssh_user != elevation.ROOT,
        "ansible_ssh_private_key_file": str(access.ssh_key),
        "ansible_ssh_common_args": shlex.join([*trust, "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes"]),
        "ansible_python_interpreter": "/usr/bin/python3",
        "mitogen_ssh_compression": False,  # as `settings.SSH_ARGUMENTS`
        **({"base_apt_key_sha256": access.mirror_key} if access.mirror_key else {}),
        **({"base_rpm_keys_sha256": access.rpm_keys} if access.rpm_keys else {}),
        **({"base_repository_signers": list(access.repository_signers)} if access.repository_signers else {}),
    }
