"""The gate that the site requires its nodes to pass, and how strict the site makes it.

The file of gates is read here as plain YAML: the stage that interprets gates may not be imported by this one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import yaml

from rackwright.base import content, yaml_text
from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.site import Site
from rackwright.spec.crosscheck.problem import problem
from rackwright.spec.fields import nearest_word


def _rows(roots: content.Roots, table: str) -> list[dict[str, Any]]:
    """The rows of a table of rackwright and of the site; an unreadable file has none here, because its own stage reports it."""
    rows_of_all: list[dict[str, Any]] = []
    for path in (root / "validators" / "gates.yaml" for root in roots):
        try:
            rows = yaml_text.load(path.read_text(encoding="utf-8")).get(table) or []
            rows_of_all += [row for row in rows if isinstance(row, dict)]
        except (OSError, UnicodeDecodeError, yaml.YAMLError, AttributeError, TypeError):
            continue
    return rows_of_all


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:
    """``acceptance.gates`` must be a gate of ``validators/gates.yaml``, and ``acceptance.policy`` stay within what that allows."""
    rows = _rows(catalog.roots, "gates")
    name, names = site.acceptance.gates, [str(row.get("name")) for row in rows]
    if name not in names:
        guess = nearest_word(name, names)
        step = f"did you mean {guess}?" if guess else "name one of them; `handover` is the last and asks for most"
        expected = "one of " + ", ".join(names)
        yield problem("acceptance.gates", "unknown_gate", "there is no such gate", expected, name, step)
    yield from _ages(site, rows)
    yield from _waivers(site, _rows(catalog.roots, "waivers"))


def _ages(site: Site, rows: list[dict[str, Any]]) -> Iterator[Problem]:
    """Ages of evidence at gates that do not exist, or beyond their bounds."""
    declared = site.acceptance.policy.evidence_hours
    names = [str(row.get("name")) for row in rows]
    for name in declared:
        if name not in names:
            path, step = f"acceptance.policy.evidence_hours.{name}", "name a gate, or remove the line"
            yield problem(path, "unknown_gate", "there is no such gate", f"one of {', '.join(names)}", name, step)
    age: dict[str, Any] = {}
    before = math.inf
    for row, name in zip(rows, names, strict=True):
        age = row.get("evidence") or age
        most = min(float(age.get("most_hours", math.inf)), before)
        hours = declared.get(name, min(float(age.get("hours", math.inf)), before))
        if hours > most:
            bound = f"at most {most:g}: evidence that is older shows too little of what the node is now"
            step = "lower it; `evidence` and `why` in validators/gates.yaml say where the bound comes from"
            path = f"acceptance.policy.evidence_hours.{name}"
            yield problem(path, "old_evidence", "allows more than may be allowed", bound, f"{hours:g}", step)
        before = min(hours, most)


def _waivers(site: Site, rows: list[dict[str, Any]]) -> Iterator[Problem]:
    """Waivers that are longer than any may be, or need more persons than there are; persons named twice or not at all."""
    acceptance, policy = site.acceptance, site.acceptance.policy
    most = rows[0].get("most_days", math.inf) if rows else math.inf
    if policy.waiver_days is not None and policy.waiver_days > most:
        expected, step = f"at most {most}", "lower it, and waive again when it is over"
        yield problem(
            "acceptance.policy.waiver_days", "long_waivers", "is longer than a waiver may hold", expected,
            str(policy.waiver_days), step,
        )  # fmt: skip
    names = [approver.name.strip().casefold() for approver in acceptance.approvers]
    for place, name in enumerate(names):
        path = f"acceptance.approvers[{place}].name"
        if not name:
            yield problem(
                path, "no_name", "is empty", "the name of a person", "nothing", "write the name, or remove the line"
            )
        elif name in names[:place]:
            name_given, step = acceptance.approvers[place].name, "name each person once; one person cannot agree twice"
            yield problem(path, "double_approver", "this person is named twice", "another person", name_given, step)
    keys = [approver.key for approver in acceptance.approvers]
    for place, key in enumerate(keys):
        if key and key in keys[:place]:
            path = f"acceptance.approvers[{place}].key"
            holder, step = (
                acceptance.approvers[keys.index(key)].name,
                "give each person a key of their own: rackwright keygen",
            )
            yield problem(
                path, "shared_key", "two persons have this key", "a key of one person", f"that of {holder}", step
            )
    if policy.waiver_approvals > max(len(set(names)), 1):
        expected = f"at most {max(len(set(names)), 1)}: as many as acceptance.approvers names"
        yield problem(
            "acceptance.policy.waiver_approvals", "few_approvers", "needs more persons than may waive", expected,
            str(policy.waiver_approvals), "name them under acceptance.approvers, or lower it",
        )  # fmt: skip
