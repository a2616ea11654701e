"""Checks a mirror: every digest, signature and index, and that it has what a site needs.

Trusts nothing
but the lock, and the key that the lock names; reads no network, so it runs on the far side of the air gap as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rackwright.base.errors import Problem, UsageError
from rackwright.mirror import verify_index
from rackwright.mirror.fetch import file_digest
from rackwright.mirror.install_groups import InstallGroup
from rackwright.mirror.layout import LOCK, MirrorLayout
from rackwright.mirror.plan import is_stored
from rackwright.mirror.required_files import MirrorPaths
from rackwright.mirror.stored_files import StoredFiles
from rackwright.mirror.sync_records import OnEvent
from rackwright.model.artifact import Artifact, Wanted

AT_ONCE = 4
"""Files read in parallel; more does not make a disk or an array faster."""


@dataclass(frozen=True)
class MirrorVerification:
    """The number of files and bytes checked, and the problems."""

    files: int
    bytes: int
    problems: tuple[Problem, ...]


def verify_mirror(
    folder: Path, groups: Sequence[InstallGroup], places: MirrorPaths | None, on_event: OnEvent
) -> MirrorVerification:
    """Check the mirror in `folder`; with `places`, also that everything that `groups` need is there.

    Raises `UsageError` if the folder is not a mirror, `ProblemsError` if its lock cannot be read.
    """
    stored = StoredFiles(MirrorLayout(folder))
    if not (folder / LOCK).is_file():
        raise UsageError(f"{folder} is no mirror: it has no {LOCK}; name the folder that `mirror sync --to` filled")
    artifacts = stored.lock.artifacts
    on_event("mirror.verify", {"files": len(artifacts), "bytes": sum(entry.size for entry in artifacts)})
    problems = [*_files(folder, artifacts, on_event), *verify_index.index_problems(stored)]
    if places is not None:
        problems += _required([entry for group in groups for entry in group.required], places, stored)
    return MirrorVerification(len(artifacts), sum(entry.size for entry in artifacts), tuple(sorted(set(problems))))


def _files(folder: Path, artifacts: Iterable[Artifact], on_event: OnEvent) -> list[Problem]:
    def check(artifact: Artifact) -> Problem | None:
        problem = _file_error(folder / artifact.path, artifact)
        on_event("mirror.file", {"name": artifact.name, "bytes": artifact.size})
        return _problem(artifact, problem) if problem else None

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return [problem for problem in pool.map(check, artifacts) if problem is not None]


def _file_error(path: Path, artifact: Artifact) -> str:
    """The problem of a file; empty if there is none."""
    try:
        size = path.stat().st_size
        if size != artifact.size:
            return f"{size:,} bytes"
        digest = file_digest(path)
    except FileNotFoundError:
        return "no such file"
    except OSError as error:
        return str(error.strerror)
    return f"SHA-256 {digest}" if digest != artifact.sha256 else ""


def _required(required: Sequence[Wanted], places: MirrorPaths, stored: StoredFiles) -> list[Problem]:
    return [
        _missing_file(software, stored)
        for software in required
        if not software.pin and not is_stored(software, places, stored)
    ]


def _problem(artifact: Artifact, problem: str) -> Problem:
    return Problem(
        place=artifact.path,
        path="",
        message="the file is not the one that the lock names" if problem != "no such file" else "the file is missing",
        expected=f"{artifact.size:,} bytes with SHA-256 {artifact.sha256}",
        found=problem,
        next_step="copy the mirror again; on the connected side remove the file and run `rackwright mirror sync`",
        code="mirror.damaged",
    )


def _missing_file(required: Wanted, stored: StoredFiles) -> Problem:
    versions = [
        artifact.version or artifact.sha256
        for artifact in stored.lock.artifacts
        if artifact.name == required.name and artifact.os in {required.os, None}
    ]
    return Problem(
        place=f"{required.pool or 'servers without a pool'} on {required.os} ({required.architecture})",
        path=f"{required.role}.{required.name}",
        message=f"the mirror lacks a{'n' if required.kind == 'image' else ''} {required.kind} that the site asks for",
        expected=f"{required.name} {required.version or required.sha256 or '(any version)'}",
        found=", ".join(dict.fromkeys(versions)) or "none of that name",
        next_step="run `rackwright mirror sync` on the connected side, then copy the mirror again",
        code="mirror.lacking",
    )
