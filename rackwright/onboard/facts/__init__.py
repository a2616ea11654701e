"""Values that roles get from the design, by name (``inputs`` of ``meta/rackwright.yml``).

A fact is a function in a module of this package: ``FACTS`` maps its
name to ``(context, node)`` and ``SITE_FACTS`` to ``(context)``; modules are found by their file.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from rackwright.model.design import Node
from rackwright.onboard.facts.context import Context

__all__ = ["Context", "of_node", "of_site"]

NodeFact = Callable[[Context, Node], Any]
SiteFact = Callable[[Context], Any]


@cache
def of_node() -> Mapping[str, NodeFact]:
    """Every fact of a node, by name."""
    return _collected_facts("FACTS")


@cache
def of_site() -> Mapping[str, SiteFact]:
    """Every fact of the site, by name."""
    return _collected_facts("SITE_FACTS")


def _collected_facts(table: str) -> dict[str, Any]:
    collected: dict[str, Any] = {}
    for module in pkgutil.iter_modules(__path__):
        table_of_module = getattr(importlib.import_module(f"{__name__}.{module.name}"), table, {})
        assert not collected.keys() & table_of_module.keys(), (
            f"two modules have the fact {sorted(collected.keys() & table_of_module.keys())}"
        )
        collected |= table_of_module
    return collected
