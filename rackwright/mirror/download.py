"""Brings what is due to its place: several at once, all failures together, nothing twice.

What came stays, so the next run fetches the rest.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass

from rackwright.base.errors import OutsideError, Problem, ProblemsError
from rackwright.mirror import rpm_package
from rackwright.mirror.choose import all_or_problems
from rackwright.mirror.fetch import Fetcher, FetchError, Item, file_digest
from rackwright.mirror.keyring import Keyring
from rackwright.mirror.order import Event
from rackwright.mirror.required import Due
from rackwright.mirror.signature import SignatureError
from rackwright.mirror.stored_files import Kept
from rackwright.model.artifact import Artifact


@dataclass
class Download:
    """One sync's transfers."""

    fetcher: Fetcher
    kept: Kept
    keyring: Keyring
    on_event: Event
    bytes_read: int = 0
    files: int = 0

    async def run(self, due: Sequence[Due]) -> list[Artifact]:
        """The artifacts, in the order of `due`, every one at its place."""
        missing = [one for one in due if not self._here(one)]
        self._room(missing)
        self.on_event(
            "mirror.due",
            {
                "files": len(missing),
                "bytes": sum(one.artifact.size for one in missing),
                "here": len(due) - len(missing),
            },
        )
        first: dict[str, Due] = {}
        for one in missing:
            first.setdefault(one.artifact.sha256 or one.artifact.path, one)
        came = await all_or_problems([self._one(one) for one in first.values()])
        known = {one.path: one for one in came}
        twins = [one for one in missing if one.artifact.path not in known]
        for one in twins:
            known[one.artifact.path] = self._linked(one, known[first[one.artifact.sha256].artifact.path])
        return [known.get(one.artifact.path, one.artifact) for one in due]

    def _here(self, due: Due) -> bool:
        """Whether the file is there: as the lock knows it, or left by a run that did not get to its lock."""
        artifact = due.artifact
        if self.kept.known(artifact.path) is not None:
            return self.kept.has(artifact)
        path = self.kept.layout.root / artifact.path
        if not artifact.sha256 or due.check_package or not self.kept.there(artifact):
            return False
        return file_digest(path) == artifact.sha256

    def _room(self, missing: Sequence[Due]) -> None:
        free = shutil.disk_usage(self.kept.layout.root).free
        need = sum(one.artifact.size for one in missing)
        if need > free:
            raise OutsideError(
                f"{self.kept.layout.root} has {free / 1e9:.1f} GB of room, and {need / 1e9:.1f} GB are to come: "
                "make room, or name another folder with --to"
            )

    async def _one(self, due: Due) -> Artifact:
        artifact = due.artifact
        item = Item(
            artifact.url, self.kept.layout.root / artifact.path, artifact.sha256, artifact.size or None, due.headers
        )
        if artifact.kind == "package" and not artifact.sha256:
            weak = FetchError("the index has no SHA-256 of it", "ask the upstream's keeper for an index that has")
            raise ProblemsError([_problem(artifact, weak)])
        try:
            came = await self.fetcher.file(item)
            signer = await self._checked(due)
        except FetchError as error:
            raise ProblemsError([_problem(artifact, error)]) from error
        self.files += 1
        self.bytes_read += came.bytes_read
        self.on_event("mirror.file", {"name": artifact.name, "bytes": came.size})
        return artifact.model_copy(update={"size": came.size, "sha256": came.sha256, "fingerprint": signer})

    async def _checked(self, due: Due) -> str:
        """Who vouches for the file: the index's signer, or the package's own where the index has none."""
        if not due.check_package:
            return due.artifact.fingerprint
        path = self.kept.layout.root / due.artifact.path
        try:
            return await asyncio.to_thread(rpm_package.signer, path, self.keyring.used[due.check_package][0])
        except SignatureError as error:
            path.unlink()
            step = "the package is not the vendor's: ask the upstream's keeper, and take it from the vendor"
            raise FetchError(str(error), step, "mirror.not_trusted") from error

    def _linked(self, due: Due, twin: Artifact) -> Artifact:
        """A second name for a file that came: the same content asked for at two places."""
        path = self.kept.layout.root / due.artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        os.link(self.kept.layout.root / twin.path, path)
        return due.artifact.model_copy(update={"size": twin.size, "sha256": twin.sha256})


def _problem(artifact: Artifact, error: FetchError) -> Problem:
    expected = f"{artifact.url}" + (f" with SHA-256 {artifact.sha256}" if artifact.sha256 else "")
    return Problem(
        place=f"upstream {artifact.upstream}" if artifact.upstream else artifact.url,
        path=artifact.name,
        message=f"{artifact.name} {artifact.version}".strip() + " did not come",
        expected=expected,
        found=error.found,
        next_step=error.next_step,
        code=error.code,
    )
