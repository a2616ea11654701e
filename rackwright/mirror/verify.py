"""Checks a mirror as it lies there: every digest, every signature, every index, and that it has what a site will ask for.

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
from rackwright.mirror.layout import LOCK, Layout
from rackwright.mirror.order import Event
from rackwright.mirror.plan import present
from rackwright.mirror.requested import Group
from rackwright.mirror.required import Places
from rackwright.mirror.stored_files import Kept
from rackwright.model.artifact import Artifact, Wanted

AT_ONCE = 4
"""Files that are read at once: more does not make a disk or an array faster."""


@dataclass(frozen=True)
class Verified:
    """What was checked and what is wrong."""

    files: int
    bytes: int
    problems: tuple[Problem, ...]


def verify(folder: Path, groups: Sequence[Group], places: Places | None, on_event: Event) -> Verified:
    """Check the mirror in `folder`; with `groups`, that everything they ask for is there as well.

    Raises `UsageError` when the folder is no mirror, `ProblemsError` when its lock cannot be read.
    """
    kept = Kept(Layout(folder))
    if not (folder / LOCK).is_file():
        raise UsageError(f"{folder} is no mirror: it has no {LOCK}; name the folder that `mirror sync --to` filled")
    artifacts = kept.lock.artifacts
    on_event("mirror.verify", {"files": len(artifacts), "bytes": sum(one.size for one in artifacts)})
    problems = [*_files(folder, artifacts, on_event), *verify_index.problems(kept)]
    if places is not None:
        problems += _wanted([one for group in groups for one in group.wanted], places, kept)
    return Verified(len(artifacts), sum(one.size for one in artifacts), tuple(sorted(set(problems))))


def _files(folder: Path, artifacts: Iterable[Artifact], on_event: Event) -> list[Problem]:
    def check(artifact: Artifact) -> Problem | None:
        found = _wrong(folder / artifact.path, artifact)
        on_event("mirror.file", {"name": artifact.name, "bytes": artifact.size})
        return _problem(artifact, found) if found else None

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return [one for one in pool.map(check, artifacts) if one is not None]


def _wrong(path: Path, artifact: Artifact) -> str:
    """What is wrong with a file; empty when nothing is."""
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


def _wanted(wanted: Sequence[Wanted], places: Places, kept: Kept) -> list[Problem]:
    return [_lacking(one, kept) for one in wanted if not one.pin and not present(one, places, kept)]


def _problem(artifact: Artifact, found: str) -> Problem:
    return Problem(
        place=artifact.path,
        path="",
        message="the file is not the one that the lock names" if found != "no such file" else "the file is missing",
        expected=f"{artifact.size:,} bytes with SHA-256 {artifact.sha256}",
        found=found,
        next_step="copy the mirror again; on the connected side remove the file and run `rackwright mirror sync`",
        code="mirror.damaged",
    )


def _lacking(wanted: Wanted, kept: Kept) -> Problem:
    versions = [
        one.version or one.sha256
        for one in kept.lock.artifacts
        if one.name == wanted.name and one.os in {wanted.os, None}
    ]
    return Problem(
        place=f"{wanted.pool or 'servers without a pool'} on {wanted.os} ({wanted.architecture})",
        path=f"{wanted.role}.{wanted.name}",
        message=f"the mirror lacks a{'n' if wanted.kind == 'image' else ''} {wanted.kind} that the site asks for",
        expected=f"{wanted.name} {wanted.version or wanted.sha256 or '(any version)'}",
        found=", ".join(dict.fromkeys(versions)) or "none of that name",
        next_step="run `rackwright mirror sync` on the connected side, then copy the mirror again",
        code="mirror.lacking",
    )
