"""Certificates of the twin's BMCs: a CA, one certificate for all BMC addresses, and one of its own for each address that is listened on alone.

Clients verify them as they verify those of a real site.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterable, Mapping
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
    single: Mapping[str, tuple[Path, Path]]
    """Address -> certificate and key of that address alone."""

    def server_context(self, address: str) -> ssl.SSLContext:
        """TLS settings of the server on `address`."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*self.single.get(address, (self.chain, self.key)))
        return context


def issue(folder: Path, addresses: Iterable[str], listen: Iterable[str] = ()) -> Certificates:
    """Create a CA and a server certificate for `addresses` in `folder`, and one for each address of `listen` among them; the CA's key is discarded."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    authority = Authority("rackwright twin BMC CA")
    every = set(addresses)
    single = {address: _written(authority, folder, f"bmc-{address}", [address]) for address in every & set(listen)}
    files = Certificates(folder / "bmc-ca.pem", *_written(authority, folder, "bmc", every), single)
    files.authority.write_bytes(authority.certificate)
    return files


def _written(authority: Authority, folder: Path, name: str, addresses: Iterable[str]) -> tuple[Path, Path]:
    """Files of a certificate for `addresses` and of its key."""
    certificate, key = authority.server("rackwright twin BMC", addresses)
    files = folder / f"{name}.pem", folder / f"{name}.key"
    files[0].write_bytes(certificate)
    files[1].touch(mode=0o600)
    files[1].write_bytes(key)
    return files
