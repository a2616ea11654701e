"""Parses a what-if sentence: elements that are lost, nodes that are added, fields that are set.

Names are not resolved here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches

from rackwright.base.errors import UsageError

KINDS = (
    "feed", "ups", "busway", "circuit", "pdu", "shelf", "psu",
    "cdu", "pump", "crah",
    "switch", "plane", "cable",
    "hall", "row", "rack", "node", "server",
)  # fmt: skip
"""What can be lost, power first, then cooling, fabrics, and places."""
MAY = (
    "say `lose KIND NAME`, more of them joined by `and` (kinds: " + ", ".join(KINDS) + "); "
    "`add 32 nodes to POOL`, `remove 8 nodes from POOL`, or `set facility.liquid.supply_celsius=40`"
)
_NODES = re.compile(r"(add|remove) (\d{1,9}) nodes? (?:to|from) (\S+)", re.IGNORECASE)
_SET = re.compile(r"set ([\w.\[\]-]+) ?= ?(.+)", re.IGNORECASE)


@dataclass(frozen=True)
class Loss:
    """One lost element, by the name in the sentence."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True)
class SiteChange:
    """A field of the site with a new value, or a pool with more or fewer nodes."""

    path: str
    """Field path; `pools.<name>.count` for nodes."""
    value: str
    """As written in YAML; with a sign in front for nodes that are added or removed."""
    relative: bool = False


@dataclass(frozen=True)
class Scenario:
    """All losses and changes that happen at once."""

    text: str
    losses: tuple[Loss, ...]
    changes: tuple[SiteChange, ...]


def parse_scenario(text: str) -> Scenario:
    """The scenario that `text` describes."""
    losses: list[Loss] = []
    changes: list[SiteChange] = []
    verb = ""
    for clause in re.split(r"\s+and\s+|\s*,\s*|\s*;\s*", text.strip(), flags=re.IGNORECASE):
        words = clause.split()
        if words and words[0].lower() in ("lose", "add", "remove", "set"):
            verb = words[0].lower()
        elif verb == "lose" and words:
            words = ["lose", *words]
        if verb == "lose":
            losses.append(_loss(words, text, losses[-1].kind if losses else ""))
        else:
            changes.append(_change(" ".join(words), text))
    return Scenario(text, tuple(losses), tuple(changes))


def _loss(words: list[str], text: str, before: str) -> Loss:
    """One loss; its kind may be omitted where it is the kind of the one `before` (`lose feeds A and B`)."""
    kind = words[1].lower() if len(words) > 1 else ""
    kind = kind[:-1] if kind not in KINDS and kind[:-1] in KINDS else kind
    if kind not in KINDS and before and len(words) == len(["lose", "name"]):
        return Loss(before, words[1])
    if kind not in KINDS:
        guess = get_close_matches(kind, KINDS, n=1)
        hint = f"did you mean {guess[0]}? " if guess else ""
        raise UsageError(f"--what-if '{text}': nothing is called {kind or 'so'}; {hint}{MAY}")
    if len(words) == len(["lose", kind]):
        raise UsageError(f"--what-if '{text}': which {kind}? {MAY}")
    return Loss(kind, " ".join(words[2:]))


def _change(clause: str, text: str) -> SiteChange:
    nodes, value = _NODES.fullmatch(clause), _SET.fullmatch(clause)
    if nodes:
        sign = "+" if nodes[1].lower() == "add" else "-"
        return SiteChange(f"pools.{nodes[3]}.count", f"{sign}{nodes[2]}", relative=True)
    if value:
        return SiteChange(value[1], value[2])
    raise UsageError(f"--what-if '{text}' cannot be read; {MAY}")
