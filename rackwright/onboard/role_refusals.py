"""What the roles would refuse of a declared site, before any host is there: their ``refuse`` rules, evaluated for every kind of node.

`roles/site.yml` asks the same rules again; only what a rule reads on the machine that plays (the munge key that onboarding makes) is left to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rackwright.base.content import Roots
from rackwright.base.errors import Problem, ProblemsError
from rackwright.model.access import Access, Secret
from rackwright.model.design import Design, Node
from rackwright.model.inventory import Inventory
from rackwright.model.software import Bill
from rackwright.onboard import plan, played_roles, roles, volatile_roles
from rackwright.onboard.carried_values import uncarried_values
from rackwright.onboard.rehearsed_systems import misplaced_systems, unknown_systems, unrehearsed_roles
from rackwright.onboard.role_engine import load_engine
from rackwright.onboard.role_references import references

NOWHERE = Path("/nonexistent")
"""Stands where keys and secrets would lie: no rule that is evaluated here reads them."""
FILES = {"munge_key": NOWHERE, "kubeadm_token": NOWHERE}
FIELD = re.compile(r"\b(?:software|control|storage|pools|fabrics|facility)(?:\.[a-z_]+)+")
"""A field of the site file, as messages of roles name it."""
CONTROL_SERVERS = {
    "slurm": "control.slurm.controllers",
    "kubernetes": "control.kubernetes.servers",
    "ufm": "control.ufm.servers",
    "storage": "storage",
}


@dataclass(frozen=True)
class Refusal:
    """One rule that refuses nodes of the site."""

    role: str
    rule: int | None
    """Place in ``refuse`` of the role's ``state.yml``; None for an option of the wrong form or an unknown system."""
    path: str
    """Field of the site file to look at."""
    message: str
    found: str
    source: str = ""
    pools: tuple[str, ...] = field(default=(), compare=False)


def problems(design: Design) -> list[Problem]:
    """Everything that onboarding would refuse of `design`, as problems of the site file; none when a host may be touched."""
    kinds = _kinds(design)
    systems = [*unknown_systems(design), *misplaced_systems(design, kinds), *unrehearsed_roles(design, kinds)]
    systems += volatile_roles.problems(design, kinds, FILES) if not systems else []
    try:
        return [*systems, *(_problem(refusal) for refusal in refusals(design))]
    except ProblemsError as error:
        return [*systems, *error.problems]


def refusals(design: Design) -> list[Refusal]:
    """Every rule that refuses a kind of node, once, with all its pools. ProblemsError when the bill lacks what a role needs."""
    kinds = _kinds(design)
    access = Access("root", NOWHERE, NOWHERE, "", Secret(""), None)
    inventory = plan.inventory(design, [node.name for node in kinds], access, FILES)
    pools: dict[Refusal, list[str]] = {}
    for node in kinds:
        for refusal in _refusals_of_node(design, node, inventory):
            pools.setdefault(refusal, []).append(f"pool {node.pool}" if node.pool else f"the {node.role} servers")
    return [replace(refusal, pools=tuple(dict.fromkeys(names))) for refusal, names in pools.items()]


def _kinds(design: Design) -> list[Node]:
    """One node of each kind: rules see nothing in which nodes of one pool and server differ."""
    first: dict[tuple[str, str, str], Node] = {}
    for node in design.nodes():
        first.setdefault((node.pool, node.role, node.server.sku), node)
    return list(first.values())


def _refusals_of_node(design: Design, node: Node, inventory: Inventory) -> Iterator[Refusal]:
    from ansible.parsing.dataloader import DataLoader  # type: ignore[import-untyped]  # half a second to import
    from ansible.template import Templar  # type: ignore[import-untyped]

    variables = {
        "groups": inventory.groups,
        "hostvars": {name: {**inventory.variables, **of_host} for name, of_host in inventory.hosts.items()},
        "group_names": sorted(name for name, members in inventory.groups.items() if node.name in members),
        "inventory_hostname": node.name,
        **inventory.variables,
        **inventory.hosts[node.name],
    }
    templar = Templar(loader=DataLoader(), variables=variables)
    refused = set()
    for name in variables["rackwright_roles"]:
        for refusal in _refusals_of_role(_Query(design, node, name, variables), templar):
            refused.add(name)
            yield refusal
    folder, bill = played_roles.project(design.roots) / "roles", design.site.software.bill(node.pool)
    for role, text, options in uncarried_values(node, bill, variables, NOWHERE, folder, design.roots):
        if role not in refused:
            yield _refusal(_Query(design, node, role, variables), None, text, options)


@dataclass(frozen=True)
class _Query:
    """One role of one node."""

    design: Design
    node: Node
    role: str
    variables: Mapping[str, Any]

    @property
    def folder(self) -> Path:
        return played_roles.project(self.design.roots) / "roles" / self.role

    @property
    def bill(self) -> Bill:
        return self.design.site.software.bill(self.node.pool)


def _refusals_of_role(query: _Query, templar: Any) -> Iterator[Refusal]:
    from ansible.errors import AnsibleError  # type: ignore[import-untyped]

    engine = load_engine()
    try:
        declared = engine.RoleDeclarations(query.folder, templar, query.variables)
        wrong = declared.wrong_arguments()
    except AnsibleError as error:
        yield _refusal(query, None, str(error), ("rackwright_os",))
        return
    yield from (_refusal(query, None, text, _options_in(query, text)) for text in wrong)
    for number, rule in enumerate([] if wrong else engine.read_yaml(query.folder / "state.yml").get("refuse") or []):
        referred = references(query.folder, rule["when"])
        if referred.host_facts or referred.lookups:
            continue
        try:
            refusal = declared.filled(rule)
        except AnsibleError as error:
            yield _refusal(query, number, f"its values cannot be read: {error.message}", referred.names)
            continue
        if refusal is not None:
            yield _refusal(query, number, refusal["message"], referred.names, str(rule.get("source", "")))


def _options_in(query: _Query, text: str) -> tuple[str, ...]:
    return tuple(name for name in _sources(query.role, query.design.roots) if re.search(rf"\b{name}\b", text))


def _refusal(query: _Query, rule: int | None, text: str, names: tuple[str, ...], source: str = "") -> Refusal:
    message = " ".join(text.split()).removeprefix(f"{query.role}: ")
    values = {name: query.variables[name] for name in names if name in query.variables and name != "groups"}
    value_text = ", ".join(f"{name}: {value}" for name, value in values.items() if len(str(value)) <= MOST_OF_A_VALUE)
    return Refusal(query.role, rule, _path(query, names, message), message, value_text or "nothing", source)


MOST_OF_A_VALUE = 80
"""Longer values are left out of a problem: its place shows them."""


def _path(query: _Query, names: tuple[str, ...], message: str) -> str:
    """The field that the site gives and the rule reads, else the one that the message names, else what makes the node what it is."""
    sources = {**_sources("", query.design.roots), "rackwright_os": "software.os"}
    pool_bill = query.design.site.software.pools.get(query.node.pool, Bill())
    below = f"software.pools.{query.node.pool}."
    for name in names:
        kind, _, bill_field = sources.get(name, "").partition(".")
        if name in query.bill.options:
            return f"{below if name in pool_bill.options else 'software.'}options.{name}"
        if kind == "software" and getattr(query.bill, bill_field):
            return f"{below if bill_field in pool_bill.model_fields_set else 'software.'}{bill_field}"
    if match := FIELD.search(message):
        return match[0]
    pools = [pool.name for pool in query.design.site.pools]
    if query.node.pool in pools:
        return f"pools[{pools.index(query.node.pool)}].server"
    return CONTROL_SERVERS.get(query.node.role, "control")


def _sources(role: str, roots: Roots) -> dict[str, str]:
    """Option -> where its value comes from, of one role, or of all."""
    chosen = [each for each in roles.ordered_roles(roots) if role in ("", each.name)]
    return {option: each.inputs.get(option, "") for each in chosen for option in each.options}


def _problem(refusal: Refusal) -> Problem:
    message, semicolon, step = refusal.message.rpartition("; ")
    if not semicolon:
        message, step = refusal.message, f"correct {refusal.path}"
    accepted = f"what role {refusal.role} can bring about (roles/{refusal.role}/README.md lists its options)"
    return Problem(
        place="site",
        path=refusal.path,
        message=f"onboarding would refuse {' and '.join(refusal.pools)}: {message}",
        expected=f"{accepted}; source: {refusal.source}" if refusal.source else accepted,
        found=refusal.found,
        next_step=step,
        code="onboard.refused",
    )
