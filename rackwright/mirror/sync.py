"""Fills the mirror: choose, fetch, publish, lock. Hosts see a change only in the last step, and only if every file was fetched.

Interrupted anywhere, the next run goes on: finished
files stay at their places, half-done ones in ``.sync/partial``, and the indexes still list what they listed before.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Sequence
from datetime import datetime

from rackwright.base import file_lock
from rackwright.base.errors import Problem, ProblemsError, UsageError
from rackwright.mirror import images, publish, rpm_keys
from rackwright.mirror.download import Download
from rackwright.mirror.fetch import Fetcher
from rackwright.mirror.index_reader import IndexReader
from rackwright.mirror.install_groups import InstallGroup
from rackwright.mirror.keyring import RPM_ENDING, Keyring
from rackwright.mirror.layout import MirrorLayout
from rackwright.mirror.package_choice import Chooser
from rackwright.mirror.registry import Registry
from rackwright.mirror.required_files import MirrorPaths, RequiredFile, required_files, required_packages
from rackwright.mirror.signing import Signer
from rackwright.mirror.stored_files import StoredFiles
from rackwright.mirror.sync_records import FetchedFiles, OnEvent, SyncOptions, SyncResult
from rackwright.model.artifact import Artifact
from rackwright.model.software import Software


def sync_mirror(
    site: str,
    software: Software,
    groups: Sequence[InstallGroup],
    options: SyncOptions,
    on_event: OnEvent,
    now: datetime,
) -> SyncResult:
    """Bring the mirror in ``options.to`` to what `groups` need.

    Raises `ProblemsError` with everything that is missing or not to be trusted (nothing is published then), `UsageError`
    for a folder that is another site's or is being filled, `OutsideError` where the disk or gpg refuse.
    """
    layout = MirrorLayout(options.to)
    layout.prepare()
    hold = file_lock.take_lock(
        layout.work / "busy", f"{options.to} is being filled by another sync; let it end, or use --to"
    )
    try:
        stored = StoredFiles(layout)
        if stored.lock.site not in {"", site}:
            raise UsageError(
                f"{options.to} is the mirror of {stored.lock.site}: give {site} a folder of its own with --to"
            )
        if options.sign_key:  # a key that gpg does not know must not wait until everything is fetched
            Signer(options.sign_key, {})
        places = MirrorPaths(options.upstreams, options.files, software.apt_mirror, software.file_mirror)
        fetched = asyncio.run(_fetch_all(groups, options, stored, places, on_event, now))
        return publish.publish_mirror(site, stored, fetched, options, on_event, now)
    finally:
        os.close(hold)


async def _fetch_all(
    groups: Sequence[InstallGroup],
    options: SyncOptions,
    stored: StoredFiles,
    places: MirrorPaths,
    on_event: OnEvent,
    now: datetime,
) -> FetchedFiles:
    async with Fetcher(stored.layout.partial, options.jobs) as fetcher:
        keyring = Keyring(options.keys, fetcher)
        reader = IndexReader(fetcher, keyring, stored.layout.indexes, now, on_event)
        problems: list[Problem] = []
        chooser = Chooser(reader, options.upstreams, stored, upgrade=options.upgrade)
        try:
            await chooser.run(groups)
        except ProblemsError as error:
            problems += error.problems
        files, unknown = required_files(groups, places, stored, upgrade=options.upgrade)
        problems += unknown
        pictures: list[RequiredFile] = []
        try:
            pictures = await images.required_images(groups, Registry(fetcher.session), stored, upgrade=options.upgrade)
        except ProblemsError as error:
            problems += error.problems
        if problems:
            raise ProblemsError(problems)
        packages = required_packages(chooser.chosen.groups)
        download = Download(fetcher, stored, keyring, on_event)
        artifacts = await download.run([*packages, *files, *pictures])
        keys = _keys(keyring, stored)
        pairs = tuple(zip(packages, artifacts[: len(packages)], strict=True))
        other_files = (*artifacts[len(packages) :], *keys)
        return FetchedFiles(chooser.chosen, pairs, other_files, download.files, download.bytes_read)


def _keys(keyring: Keyring, stored: StoredFiles) -> list[Artifact]:
    """The keys of the upstreams, those of this run and those of runs before."""
    keys = {
        artifact.path: artifact
        for artifact in stored.lock.artifacts
        if artifact.kind == "key" and artifact.path.startswith("keys/")
    }
    for name, (ring, origin) in sorted(keyring.used.items()):
        path, content = f"keys/{name}.asc", rpm_keys.accepted(ring) if name.endswith(RPM_ENDING) else ring.keys
        stored.layout.put(stored.layout.root / path, content)
        digest, upstream = hashlib.sha256(content).hexdigest(), name.removesuffix(RPM_ENDING)
        keys[path] = Artifact(
            kind="key", name=name, path=path, url=origin, size=len(content), sha256=digest, upstream=upstream
        )
    return [keys[path] for path in sorted(keys)]
