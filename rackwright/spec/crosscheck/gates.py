"""The gate that the site requires its nodes to pass.

The names are read here as plain YAML: the stage that interprets gates may not be imported by this one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import yaml

from rackwright.base import content
from rackwright.base.errors import Problem
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem
from rackwright.spec.fields import nearest_word


@cache
def _names() -> tuple[str, ...]:
    data = yaml.safe_load(content.folder("validators", "gates.yaml").read_text(encoding="utf-8"))
    return tuple(str(gate["name"]) for gate in data["gates"])


def check(site: Site) -> Iterator[Problem]:
    """``acceptance.gates`` must be a gate of ``validators/gates.yaml``."""
    name = site.acceptance.gates
    if name not in _names():
        guess = nearest_word(name, list(_names()))
        step = f"did you mean {guess}?" if guess else "name one of them; `handover` is the last and asks for most"
        expected = "one of " + ", ".join(_names())
        yield problem("acceptance.gates", "unknown_gate", "there is no such gate", expected, name, step)
