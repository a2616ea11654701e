"""Values of a declared site that a file of a node cannot carry: the files of roles are filled in for every kind of node, before any host is there."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rackwright.base.content import Roots
from rackwright.model.design import Node
from rackwright.model.software import Bill
from rackwright.onboard import roles
from rackwright.onboard.role_engine import expected_facts, unfilled_files

REFUSED = re.compile(
    r"(?P<file>\S+) cannot carry (?P<value>'.*?'|\".*?\"): (?P<expected>.*); correct the option", re.DOTALL
)
"""As the role engine says it (``rackwright_role_engine/formats.py``)."""
HARMLESS = re.compile(r"[A-Za-z0-9_@+=:,./~-]*")
"""What every format carries; of other values the file of the role is filled in."""


class UncarriedValue(NamedTuple):
    """A value that the file of a role cannot carry."""

    role: str
    message: str
    options: tuple[str, ...]
    """Of the role, those that hold the value."""


def uncarried_values(
    node: Node, bill: Bill, variables: Mapping[str, Any], nowhere: Path, folder: Path, roots: Roots
) -> Iterator[UncarriedValue]:
    """Of the roles of `node`, which lie below `folder`; `variables` are those of its play, with `nowhere` in place of files of the controller.

    Where a role needs more of the host than a fresh one tells, its files are filled in at onboarding alone.
    """
    here = {name: os.devnull if value == str(nowhere) else value for name, value in variables.items()}
    facts = expected_facts(bill, node.server.architecture)
    facts["kernel"]["release"] = facts["kernel"]["release"].replace("*", "0")
    options = {role.name: [name for name in role.options if name in variables] for role in roles.ordered_roles(roots)}
    for role in variables["rackwright_roles"]:
        texts = {name: set(_texts(variables[name])) for name in options.get(role, ())}
        if all(HARMLESS.fullmatch(text) for some in texts.values() for text in some):
            continue
        for error in unfilled_files(role, here, facts, folder):
            if match := REFUSED.search(str(error)):
                holding = tuple(
                    name for name, some in texts.items() if any(ascii(text) == match["value"] for text in some)
                )
                yield UncarriedValue(
                    role,
                    f"{match['file']} cannot carry {match['value']} ({match['expected']}); correct the value",
                    holding,
                )
                break


def _texts(value: object) -> Iterator[str]:
    """Every text in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _texts(key)
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
