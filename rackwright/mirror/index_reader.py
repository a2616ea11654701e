"""Reads the index of an upstream repository, signature first: from the signed root down to every digest.

Indexes are kept by digest between runs.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from rackwright.base.errors import Problem, ProblemsError
from rackwright.mirror import apt_index, rpm_index, unpack
from rackwright.mirror.fetch import Fetcher, FetchError, Transfer
from rackwright.mirror.keyring import Keyring
from rackwright.mirror.package_offers import Listing, Offer
from rackwright.mirror.signature import SignatureError, read_clearsigned, verify_detached
from rackwright.model.artifact import MACHINES, Architecture
from rackwright.upstreams import FLAT, SourceRepository, match_length

UNSIGNED = "ask its keeper for a signed index; a mirror takes no package on the word of an unsigned one"


@dataclass(frozen=True)
class IndexReader:
    """Reads the indexes of upstreams."""

    fetcher: Fetcher
    keyring: Keyring
    indexes: Path
    """Folder that keeps indexes by digest."""
    now: datetime
    on_event: Callable[[str, dict[str, object]], None]

    async def listings(self, source: SourceRepository, architecture: Architecture) -> list[Listing]:
        """The packages of `source`, one listing per suite and component; ProblemsError when the index cannot be trusted."""
        self.on_event("mirror.reading", {"upstream": source.name, "url": source.url})
        if source.type == "rpm":
            return [await self._rpm(source, architecture)]
        suites = await asyncio.gather(*(self._apt(source, suite, architecture) for suite in source.suites))
        return [listing for suite in suites for listing in suite]

    async def _apt(self, source: SourceRepository, suite: str, architecture: Architecture) -> list[Listing]:
        flat = suite == FLAT
        root = source.url if flat else f"{source.url}/dists/{suite}"
        text, signer = await self._release(source, root)
        index = apt_index.ReleaseFile(text)
        self._require_fresh(source, root, index)
        folders = [""] if flat else [f"{component}/binary-{architecture}/" for component in source.components]
        texts = [await self._packages(source, root, index, folder) for folder in folders]
        finish = _finisher(source, signer)
        return [
            _listing_without(
                source,
                apt_index.listing(source.name, text_of_index, lambda entry: finish(apt_index.parse(entry, source.url))),
            )
            for text_of_index in texts
        ]

    async def _release(self, source: SourceRepository, root: str) -> tuple[str, str]:
        """The text of the signed root of an apt repository and who signed it."""
        ring = await self.keyring.ring(source)
        try:
            try:
                text, signer = read_clearsigned(await self.fetcher.small(f"{root}/InRelease"), ring)
            except FetchError as error:
                if not error.missing:
                    raise
                text = await self.fetcher.small(f"{root}/Release")
                signer = verify_detached(text, await self._signature(source, f"{root}/Release", ".gpg"), ring)
        except FetchError as error:
            raise ProblemsError([_unread_problem(source, root, error)]) from error
        except SignatureError as error:
            raise ProblemsError([_distrusted_problem(source, root, str(error))]) from error
        return text.decode(), signer

    async def _signature(self, source: SourceRepository, url: str, ending: str) -> bytes:
        try:
            return await self.fetcher.small(url + ending)
        except FetchError as error:
            if error.missing:
                raise ProblemsError([_distrusted_problem(source, url, "it is not signed", UNSIGNED)]) from error
            raise

    def _require_fresh(self, source: SourceRepository, root: str, index: apt_index.ReleaseFile) -> None:
        until = index.valid_until
        if until is not None and until < self.now:
            problem = f"it was valid until {until:%Y-%m-%d %H:%M} UTC, and it is {self.now:%Y-%m-%d %H:%M} UTC"
            step = "take a mirror that is up to date; somebody may be holding back security updates"
            raise ProblemsError([_distrusted_problem(source, root, problem, step)])

    async def _packages(self, source: SourceRepository, root: str, index: apt_index.ReleaseFile, folder: str) -> str:
        for ending in (*unpack.STREAMS, ""):
            path = f"{folder}Packages{ending}"
            if path in index.files:
                sha256, size = index.files[path]
                place = f"{folder}by-hash/SHA256/{sha256}" if index.by_hash else path
                data = await self._index(source, f"{root}/{place}", sha256, size)
                return await self._text(source, f"{root}/{place}", path, data)
        has = ", ".join(index.architectures) or "none"
        raise ProblemsError([_missing_index(source, root, f"{folder}Packages", f"architectures: {has}")])

    async def _index(self, source: SourceRepository, url: str, sha256: str, size: int | None) -> bytes:
        path = self.indexes / sha256
        if not path.is_file():
            try:
                await self.fetcher.file(Transfer(url, path, sha256, size, most=unpack.INDEX.bytes))
            except FetchError as error:
                raise ProblemsError([_unread_problem(source, url, error)]) from error
        return await asyncio.to_thread(path.read_bytes)

    async def _rpm(self, source: SourceRepository, architecture: Architecture) -> Listing:
        root = f"{source.url}/repodata/repomd.xml"
        ring = await self.keyring.ring(source)
        try:
            text = await self.fetcher.small(root)
            signer = ""
            if source.signed == "index":
                signer = verify_detached(text, await self._signature(source, root, ".asc"), ring)
            files = rpm_index.parts(text)
        except FetchError as error:
            raise ProblemsError([_unread_problem(source, root, error)]) from error
        except (SignatureError, ValueError) as error:
            raise ProblemsError([_distrusted_problem(source, root, str(error))]) from error
        finish = _finisher(source, signer)
        listing = rpm_index.listing(
            source.name,
            await self._part(source, files["primary"]),
            MACHINES[architecture],
            lambda entry: finish(rpm_index.parse(entry, source.url)),
        )
        if "modules" in files:
            listing.modules = await self._part(source, files["modules"])
        return _listing_without(source, listing)

    async def _part(self, source: SourceRepository, part: rpm_index.RepodataFile) -> str:
        data = await self._index(source, f"{source.url}/{part.path}", part.sha256, part.size)
        return await self._text(source, f"{source.url}/{part.path}", part.path, data)

    async def _text(self, source: SourceRepository, url: str, name: str, data: bytes) -> str:
        try:
            return await asyncio.to_thread(unpack.unpack, name, data)
        except ValueError as error:
            raise ProblemsError([_distrusted_problem(source, url, str(error))]) from error


def _finisher(source: SourceRepository, signer: str) -> Callable[[Offer], Offer]:
    def finish(offer: Offer) -> Offer:
        place = match_length(source.packages, offer.name)
        return dataclasses.replace(offer, upstream=source.name, fingerprint=signer, home=place)

    return finish


def _listing_without(source: SourceRepository, listing: Listing) -> Listing:
    listing.drop(lambda name: match_length(source.exclude, name) > 0)
    return listing


def _unread_problem(source: SourceRepository, url: str, error: FetchError) -> Problem:
    return Problem(
        place=f"upstream {source.name}",
        path="",
        message="its index did not come",
        expected=url,
        found=error.reason,
        next_step=error.next_step,
        code=error.code,
    )


def _distrusted_problem(source: SourceRepository, url: str, problem: str, next_step: str = "") -> Problem:
    return Problem(
        place=f"upstream {source.name}",
        path="",
        message="its index cannot be trusted",
        expected=f"{url}, signed by an accepted key that is neither expired nor revoked, and in date",
        found=problem,
        next_step=next_step
        or f"fetch the vendor's current key, compare its fingerprint with the vendor's documents, and give it with "
        f"--key {source.name}=FILE",
        code="mirror.not_trusted",
    )


def _missing_index(source: SourceRepository, root: str, path: str, problem: str) -> Problem:
    return Problem(
        place=f"upstream {source.name}",
        path="",
        message="it carries nothing for these nodes",
        expected=f"{root}/{path}",
        found=problem,
        next_step="is this the repository of this operating system and architecture? see the file of upstreams",
        code="mirror.no_architecture",
    )
