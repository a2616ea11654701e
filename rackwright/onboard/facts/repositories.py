"""Repositories that hosts install from themselves, where the site says so (`software.source`): those of its vendors and of the distribution."""

from __future__ import annotations

from typing import Any

from rackwright.model.design import Design, Node
from rackwright.model.software import Software
from rackwright.onboard.facts.context import Context
from rackwright.upstreams import SourceRepository, load_upstreams, match_length, select_sources

UNSIGNED = "base_rpm_unsigned"
"""Option with the rpm packages that hosts take without a signature of their own."""


def _repositories(context: Context, node: Node) -> list[dict[str, Any]]:
    software = context.design.site.software
    if software.source != "vendor":
        return []
    bill = software.bill(node.pool)
    sources = select_sources(load_upstreams(), bill, bill.base, node.server.architecture)
    unsigned = bill.options.get(UNSIGNED, [])
    return [_entry(source, software, unsigned) for source in sources if not source.reason]


def _entry(source: SourceRepository, software: Software, unsigned: list[str]) -> dict[str, Any]:
    """As the role base declares sources; what the distribution installed has its keys in its own file."""
    key = {"keyring": source.key.file} if source.key.file else {"key_url": source.key.url}
    fingerprints = software.vendor_keys.get(source.name) or source.key.fingerprints
    fields = {
        "suites": list(source.suites) if source.type == "apt" else [],
        "components": list(source.components),
        "key_fingerprints": [] if source.key.file else fingerprints,
        "exclude": list(source.exclude),
        "unsigned": [glob for glob in unsigned if source.type == "rpm" and match_length(source.packages, glob)],
    }
    filled = {name: value for name, value in fields.items() if value}
    return {"name": f"rackwright-{source.name}", "uri": source.url, "signed": source.signed, **key, **filled}


def vendor_repositories(design: Design) -> list[str]:
    """URLs of all repositories that nodes of `design` install from themselves, each once."""
    context = Context(design, {})
    return list(dict.fromkeys(entry["uri"] for node in design.nodes() for entry in _repositories(context, node)))


FACTS = {"repositories": _repositories}
