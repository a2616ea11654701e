"""Downloads the missing files of a mirror: several at once, all failures reported together, nothing twice.

Finished files stay, so the next run fetches only the rest.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass

from rackwright.base.errors import OutsideError, Problem, ProblemsError
from rackwright.mirror import rpm_package
from rackwright.mirror.fetch import Fetched, Fetcher, FetchError, Transfer, file_digest
from rackwright.mirror.keyring import Keyring, key_name
from rackwright.mirror.package_choice import all_or_problems
from rackwright.mirror.required_files import UNSIGNED, RequiredFile
from rackwright.mirror.signature import SignatureError
from rackwright.mirror.stored_files import StoredFiles
from rackwright.mirror.sync_records import OnEvent
from rackwright.model.artifact import Artifact


@dataclass
class Download:
    """One sync's transfers."""

    fetcher: Fetcher
    stored: StoredFiles
    keyring: Keyring
    on_event: OnEvent
    bytes_read: int = 0
    files: int = 0

    async def run(self, required: Sequence[RequiredFile]) -> list[Artifact]:
        """The artifacts, in the order of `required`, every one at its place."""
        missing = [file for file in required if not self._is_present(file)]
        self._room(missing)
        self.on_event(
            "mirror.due",
            {
                "files": len(missing),
                "bytes": sum(file.artifact.size for file in missing),
                "here": len(required) - len(missing),
            },
        )
        first: dict[str, RequiredFile] = {}
        for file in missing:
            first.setdefault(file.artifact.sha256 or file.artifact.path, file)
        artifacts = await all_or_problems([self._download(file) for file in first.values()])
        by_path = {file.path: file for file in artifacts}
        twins = [file for file in missing if file.artifact.path not in by_path]
        for file in twins:
            by_path[file.artifact.path] = self._linked(file, by_path[first[file.artifact.sha256].artifact.path])
        return [by_path.get(file.artifact.path, file.artifact) for file in required]

    def _is_present(self, file: RequiredFile) -> bool:
        """Whether the file is there: as the lock lists it, or from a run that was interrupted before it wrote its lock."""
        artifact = file.artifact
        if self.stored.present(artifact.path) is not None:
            return self.stored.has(artifact)
        path = self.stored.layout.root / artifact.path
        if not artifact.sha256 or file.check_package or not self.stored.is_complete(artifact):
            return False
        return file_digest(path) == artifact.sha256

    def _room(self, missing: Sequence[RequiredFile]) -> None:
        free = shutil.disk_usage(self.stored.layout.root).free
        need = sum(file.artifact.size for file in missing)
        if need > free:
            raise OutsideError(
                f"{self.stored.layout.root} has {free / 1e9:.1f} GB of room, and {need / 1e9:.1f} GB are to come: "
                "make room, or name another folder with --to"
            )

    async def _download(self, file: RequiredFile) -> Artifact:
        artifact = file.artifact
        transfer = Transfer(
            artifact.url, self.stored.layout.root / artifact.path, artifact.sha256, artifact.size or None, file.headers
        )
        if artifact.kind == "package" and not artifact.sha256:
            weak = FetchError("the index has no SHA-256 of it", "ask the upstream's keeper for an index that has")
            raise ProblemsError([_problem(artifact, weak)])
        try:
            fetched = await self._transferred(file, transfer)
            signer = await self._checked(file)
        except FetchError as error:
            raise ProblemsError([_problem(artifact, error)]) from error
        self.files += 1
        self.bytes_read += fetched.bytes_read
        self.on_event("mirror.file", {"name": artifact.name, "bytes": fetched.size})
        return artifact.model_copy(update={"size": fetched.size, "sha256": fetched.sha256, "fingerprint": signer})

    async def _transferred(self, file: RequiredFile, transfer: Transfer) -> Fetched:
        """The file at its place; one that an interrupted run left there only has to be checked."""
        if file.check_package and self.stored.is_complete(file.artifact):
            digest = await asyncio.to_thread(file_digest, transfer.target)
            if digest == file.artifact.sha256:
                return Fetched(digest, file.artifact.size, 0)
        return await self.fetcher.file(transfer)

    async def _checked(self, file: RequiredFile) -> str:
        """Fingerprint of the key that vouches for the file: the signer of the package, or of the index where packages have none."""
        if not file.check_package:
            return file.artifact.fingerprint
        path = self.stored.layout.root / file.artifact.path
        try:
            return await asyncio.to_thread(
                rpm_package.signer, path, self.keyring.used[key_name(file.check_package, rpm=True)][0]
            )
        except SignatureError as error:
            path.unlink()
            step = (
                "the package is not the vendor's: ask the upstream's keeper, and take it from the vendor; a vendor that signs none: "
                f"name the package in software.options.{UNSIGNED}"
            )
            raise FetchError(str(error), step, "mirror.not_trusted") from error

    def _linked(self, file: RequiredFile, twin: Artifact) -> Artifact:
        """A hard link to a downloaded file whose content is needed at a second place."""
        path = self.stored.layout.root / file.artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        os.link(self.stored.layout.root / twin.path, path)
        return file.artifact.model_copy(update={"size": twin.size, "sha256": twin.sha256})


def _problem(artifact: Artifact, error: FetchError) -> Problem:
    expected = f"{artifact.url}" + (f" with SHA-256 {artifact.sha256}" if artifact.sha256 else "")
    return Problem(
        place=f"upstream {artifact.upstream}" if artifact.upstream else artifact.url,
        path=artifact.name,
        message=f"{artifact.name} {artifact.version}".strip() + " did not come",
        expected=expected,
        found=error.reason,
        next_step=error.next_step,
        code=error.code,
    )
