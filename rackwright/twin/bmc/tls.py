"""Certificates of the twin's BMCs: a CA, and one certificate for all BMC addresses.

Clients verify them as they verify those of a real site.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rackwright.twin.hosts.certificate_authority import Authority


@dataclass(frozen=True)
class Certificates:
    """Paths of the certificates."""

    authority: Path
    """CA file for clients."""
    chain: Path
    key: Path

    def server_context(self) -> ssl.SSLContext:
        """TLS settings of the server."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self.chain, self.key)
        return context


def issue(folder: Path, addresses: Iterable[str]) -> Certificates:
    """Create a CA and a server certificate for `addresses` in `folder`; the CA's key is discarded."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    authority = Authority("rackwright twin BMC CA")
    certificate, key = authority.server("rackwright twin BMC", addresses)
    files = Certificates(folder / "bmc-ca.pem", folder / "bmc.pem", folder / "bmc.key")
    files.authority.write_bytes(authority.certificate)
    files.chain.write_bytes(certificate)
    files.key.touch(mode=0o600)
    files.key.write_bytes(key)
    return files
