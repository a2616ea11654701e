"""The key of each upstream: a file that was given, else one that the distribution installed, else fetched and known by fingerprint.

A fetched key counts
only for the fingerprints that the data file has from elsewhere: who serves the packages must not vouch for himself.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from rackwright.base.errors import Problem, ProblemsError, UsageError
from rackwright.mirror.fetch import Fetcher, FetchError
from rackwright.mirror.signature import Ring
from rackwright.mirror.upstreams import Source


class Keyring:
    """Keys of upstreams, each read once."""

    def __init__(self, given: Mapping[str, Path], fetcher: Fetcher) -> None:
        self._given = given
        self._fetcher = fetcher
        self._rings: dict[str, Ring] = {}
        self.used: dict[str, tuple[Ring, str]] = {}
        """The keys of each upstream that was read, and where they are from."""

    async def ring(self, source: Source) -> Ring:
        """The keys that may sign for `source`; ProblemsError when there are none to be had."""
        known = f"{source.name} {source.key.url}"
        if known not in self._rings:
            keys, origin, trusted = await self._find(source)
            self._rings[known] = Ring(keys, frozenset() if trusted else frozenset(source.key.fingerprints))
            self.used[source.name] = (self._rings[known], origin)
        return self._rings[known]

    async def _find(self, source: Source) -> tuple[bytes, str, bool]:
        """Keys, where they are from, and whether whoever gave them vouches for them."""
        path = self._given.get(source.name)
        if path is not None:
            try:
                return path.read_bytes(), str(path), True
            except OSError as error:
                raise UsageError(f"--key {source.name}={path}: {error.strerror}; name the file of its key") from error
        if not source.key.fingerprints:
            raise ProblemsError([_ungiven(source)])
        installed = _installed(source)
        if installed:
            return installed, source.key.file, False
        try:
            return await self._fetcher.small(source.key.url), source.key.url, False
        except FetchError as error:
            raise ProblemsError([_unfetched(source, error)]) from error


def _installed(source: Source) -> bytes:
    """The key that a package of the distribution put on this machine; empty when there is none."""
    path = Path(source.key.file)
    return path.read_bytes() if source.key.file and path.is_file() else b""


def _ungiven(source: Source) -> Problem:
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


def _unfetched(source: Source, error: FetchError) -> Problem:
    return Problem(
        place=f"upstream {source.name}",
        path="",
        message="its key did not come",
        expected=source.key.url,
        found=error.found,
        next_step=f"give the key with --key {source.name}=FILE, or {error.next_step}",
        code="mirror.no_key",
    )
