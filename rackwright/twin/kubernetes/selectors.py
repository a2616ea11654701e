"""Selectors of lists: ``a=b,c!=d,e in (f,g),h`` over labels, and equality over fields."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

TERM = re.compile(r"\s*(!?[\w./-]+)\s*(?:(=|==|!=)\s*([\w.-]*)|(in|notin)\s*\(([^)]*)\))?\s*(?:,|$)")


def by_labels(selector: str, labels: Mapping[str, str]) -> bool:
    """Whether `labels` meet every term of `selector`. ValueError for a malformed selector."""
    at = 0
    while at < len(selector):
        term = TERM.match(selector, at)
        if term is None or term.end() == at:
            raise ValueError(f"unable to parse requirement: {selector[at:]!r}")
        if not _meets_term(term, labels):
            return False
        at = term.end()
    return True


def _meets_term(term: re.Match[str], labels: Mapping[str, str]) -> bool:
    name, equal, value, word, values = term.groups()
    if equal or word:
        accepted = {value} if equal else {value_text.strip() for value_text in values.split(",")}
        within = labels.get(name) in accepted
        return not within if equal == "!=" or word == "notin" else within
    return name.removeprefix("!") not in labels if name.startswith("!") else name in labels


def by_fields(selector: str, values: Mapping[str, Any]) -> bool:
    """Whether the fields of an object are as `selector` says (``spec.nodeName=a,status.phase!=Running``)."""
    for term in filter(None, selector.split(",")):
        name, sign, expected = re.split(r"(!=|==?)", term, maxsplit=1)
        value: Any = values
        for step in name.split("."):
            value = (value or {}).get(step)
        if (str(value or "") == expected) == (sign == "!="):
            return False
    return True
