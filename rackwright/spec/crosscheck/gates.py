"""The gate that the site requires its nodes to pass.

The names are read here as plain YAML: the stage that interprets gates may not be imported by this one.
"""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from rackwright.base import content, yaml_text
from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem
from rackwright.spec.fields import nearest_word


def _names(roots: content.Roots) -> list[str]:
    """The gates that rackwright and the site have; a file that cannot be read has none here, and its own stage says why."""
    names: list[str] = []
    for path in (root / "validators" / "gates.yaml" for root in roots):
        try:
            rows = yaml_text.load(path.read_text(encoding="utf-8")).get("gates") or []
            names += [str(row["name"]) for row in rows]
        except (OSError, UnicodeDecodeError, yaml.YAMLError, AttributeError, TypeError, KeyError):
            continue
    return names


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """``acceptance.gates`` must be a gate of ``validators/gates.yaml``."""
    name, names = site.acceptance.gates, _names(catalog.roots)
    if name not in names:
        guess = nearest_word(name, names)
        step = f"did you mean {guess}?" if guess else "name one of them; `handover` is the last and asks for most"
        expected = "one of " + ", ".join(names)
        yield problem("acceptance.gates", "unknown_gate", "there is no such gate", expected, name, step)
