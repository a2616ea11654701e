"""Webhooks of the acceptance and its server: distinct names, and URLs whose messages cannot be read or changed in transit."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from urllib.parse import urlsplit

from rackwright.base.errors import Problem
from rackwright.catalog import Catalog
from rackwright.model.site import Site
from rackwright.spec.crosscheck.names import duplicates
from rackwright.spec.crosscheck.problem import problem


def check(site: Site, catalog: Catalog) -> Iterator[Problem]:  # noqa: ARG001 - every check has the same shape
    """Every webhook, and the server."""
    webhooks = site.acceptance.webhooks
    yield from duplicates("acceptance.webhooks", "name", [webhook.name for webhook in webhooks])
    for i, webhook in enumerate(webhooks):
        yield from _encrypted(f"acceptance.webhooks[{i}].url", webhook.url, "messages go")
    if site.acceptance.server:
        yield from _encrypted("acceptance.server", site.acceptance.server, "tokens go")


def _encrypted(path: str, url: str, what: str) -> Iterator[Problem]:
    parts = urlsplit(url)
    if parts.scheme != "https" and not _is_loopback(parts.hostname or ""):
        step = "write https://, or name a proxy on this machine"
        yield problem(path, "without_tls", f"{what} over a network without TLS", "an https URL", url, step)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
