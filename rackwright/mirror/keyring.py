"""The key of each upstream: from the operator's file, else installed by the distribution, else fetched and checked by fingerprint.

A fetched key counts
only if its fingerprint is in the data file, which has it from elsewhere: a server of packages must not vouch for itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rackwright.base.errors import Problem, ProblemsError, UsageError
from rackwright.mirror.fetch import Fetcher, FetchError
from rackwright.mirror.signature import Ring
from rackwright.upstreams import SourceRepository

RPM_ENDING = "-rpm"


class Keyring:
    """Keys of upstreams, each read once."""

    def __init__(self, operator_keys: Mapping[str, Path], fetcher: Fetcher) -> None:
        self._operator_keys = operator_keys
        self._fetcher = fetcher
        self._rings: dict[str, Ring] = {}
        self.used: dict[str, tuple[Ring, str]] = {}
        """The keys of each upstream that was read, by `key_name`, and where they are from."""

    async def ring(self, source: SourceRepository) -> Ring:
        """The keys that may sign for `source`; ProblemsError if there are none."""
        name = f"{source.name} {source.key.url}"
        if name not in self._rings:
            keys, origin, trusted = await self._find(source)
            self._rings[name] = Ring(keys, frozenset() if trusted else frozenset(source.key.fingerprints))
            self.used[key_name(source.name, rpm=source.type == "rpm")] = (self._rings[name], origin)
        return self._rings[name]

    async def _find(self, source: SourceRepository) -> tuple[bytes, str, bool]:
        """Keys, their origin, and whether the operator vouches for them."""
        path = self._operator_keys.get(source.name)
        if path is not None:
            try:
                return path.read_bytes(), str(path), True
            except OSError as error:
                raise UsageError(f"--key {source.name}={path}: {error.strerror}; name the file of its key") from error
        if not source.key.fingerprints:
            raise ProblemsError([_missing_key(source)])
        installed = _installed(source)
        if installed:
            return installed, source.key.file, False
        try:
            return await self._fetcher.small(source.key.url), source.key.url, False
        except FetchError as error:
            raise ProblemsError([_unfetched_key(source, error)]) from error


def key_name(upstream: str, *, rpm: bool) -> str:
    """Name of the keys of an upstream; several sign rpm packages with another key than their repositories for apt."""
    return f"{upstream}{RPM_ENDING if rpm else ''}"


def _installed(source: SourceRepository) -> bytes:
    """The key that a package of the distribution put on this machine; empty when there is none."""
    path = Path(source.key.file)
    return path.read_bytes() if source.key.file and path.is_file() else b""


def _missing_key(source: SourceRepository) -> Problem:
    return Problem(
        place=f"upstream {source.name}",
        path="",
        message="no key is known for it",
        expected="a key that the operator has checked",
        found="no fingerprint in the file of upstreams",
        next_step=f"fetch {source.key.url or 'its key'}, compare the fingerprint with the vendor's documents, "
        f"and give it with --key {source.name}=FILE",
        code="mirror.no_key",
    )


def _unfetched_key(source: SourceRepository, error: FetchError) -> Problem:
    return Problem(
        place=f"upstream {source.name}",
        path="",
        message="its key did not come",
        expected=source.key.url,
        found=error.reason,
        next_step=f"give the key with --key {source.name}=FILE, or {error.next_step}",
        code="mirror.no_key",
    )
