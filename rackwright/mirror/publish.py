"""Publishes what the mirror carries: suites, rpm repositories, image layout, public key, lock; each replaced by one rename.

The last step of a sync; until then hosts see the mirror as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from rackwright.mirror import apt_index, apt_publish, images, rpm_index, rpm_keys, rpm_publish, signing
from rackwright.mirror.layout import LOCK, OWN_KEYS, PUBLIC_KEY, RPM_KEYS, SUITE, WORK, rpm_folder
from rackwright.mirror.lock import MirrorLock
from rackwright.mirror.package_choice import PackageChoice
from rackwright.mirror.required_files import RequiredFile
from rackwright.mirror.signing import Signer
from rackwright.mirror.stored_files import StoredFiles, is_rpm
from rackwright.mirror.sync_records import FetchedFiles, OnEvent, SyncOptions, SyncResult
from rackwright.model.artifact import Artifact

Pairs = Sequence[tuple[RequiredFile, Artifact]]


def publish_mirror(
    site: str, stored: StoredFiles, fetched: FetchedFiles, options: SyncOptions, on_event: OnEvent, now: datetime
) -> SyncResult:
    """Write every index that differs, then the lock; with `prune`, remove files that nothing needs."""
    layout = stored.layout
    artifacts = tuple(
        sorted(
            (*(artifact for _, artifact in fetched.packages), *fetched.other_files),
            key=lambda artifact: (artifact.path, artifact.name),
        )
    )
    unmet = {need: asker for _, resolution in fetched.chosen.groups for need, asker in resolution.unmet.items()}
    with signing.open_signer(options.sign_key, layout.secrets) as signer:
        layout.put(layout.root / PUBLIC_KEY, signer.public)
        for_rpm = rpm_keys.publish(layout, signer.public, artifacts)
        written = [
            *_apt(stored, fetched.packages, fetched.chosen, signer, now),
            *_rpm(stored, fetched.packages, fetched.chosen, signer),
        ]
        signed_by = signer.fingerprint
    if images.write_image_index(stored, artifacts):
        written.append(images.FOLDER)
    lock = MirrorLock(site=site, signed_by=signed_by, artifacts=artifacts, unmet=dict(sorted(unmet.items())))
    if layout.put(layout.root / LOCK, lock.text().encode()):
        written.append(LOCK)
    for index in written:
        on_event("mirror.published", {"index": index})
    stray = stray_files(stored, artifacts)
    if options.prune:
        for path in stray:
            (layout.root / path).unlink()
    return SyncResult(
        artifacts, fetched.fetched, fetched.bytes_read, tuple(written), lock.unmet, fetched.chosen.unread, stray, signed_by,
        layout.root / PUBLIC_KEY, layout.root / RPM_KEYS if for_rpm else None,
    )  # fmt: skip


def stray_files(stored: StoredFiles, artifacts: Sequence[Artifact]) -> tuple[str, ...]:
    """Files of packages, vendors and images that no line of the lock names."""
    locked = {artifact.path for artifact in artifacts}
    root = stored.layout.root
    indexes = ("dists", WORK, LOCK, *OWN_KEYS, "images/index.json", "images/oci-layout")
    paths = [path.relative_to(root) for path in root.rglob("*") if path.is_file()]
    return tuple(
        sorted(
            str(path)
            for path in paths
            if str(path) not in locked and not str(path).startswith(indexes) and "repodata" not in path.parts
        )
    )


def _apt(stored: StoredFiles, packages: Pairs, chosen: PackageChoice, signer: Signer, now: datetime) -> list[str]:
    """One suite per operating system, and `SUITE` for the only one."""
    systems: dict[str, dict[str, list[str]]] = {}
    for group, _ in chosen.groups:
        if not is_rpm(group.os):
            systems.setdefault(group.os, {}).setdefault(group.architecture, [])
    for file, artifact in packages:
        for architecture, entries in systems.get(artifact.os or "", {}).items():
            if artifact.architecture in {architecture, "all"}:
                entries.append(apt_index.placed(file.entry, artifact.path))
    suites = dict(systems) | ({SUITE: next(iter(systems.values()))} if len(systems) == 1 else {})
    return [
        f"dists/{suite}"
        for suite, entries in suites.items()
        if apt_publish.publish_suite(stored.layout, suite, entries, signer, now)
    ]


def _rpm(stored: StoredFiles, packages: Pairs, chosen: PackageChoice, signer: Signer) -> list[str]:
    """One repository per operating system and architecture."""
    repositories = {(group.os, group.architecture): list[str]() for group, _ in chosen.groups if is_rpm(group.os)}
    for (os, architecture), entries in repositories.items():
        folder = f"{rpm_folder(os, architecture)}/"
        for file, artifact in packages:
            if artifact.path.startswith(folder):
                entries.append(rpm_index.placed(file.entry, artifact.path.removeprefix(folder)))
    written = []
    for (os, architecture), entries in repositories.items():
        fresh = chosen.modules.get((os, architecture))
        modules = "".join(sorted(fresh)) if fresh is not None else stored.modules(os, architecture)
        if rpm_publish.publish_repository(stored.layout, rpm_folder(os, architecture), entries, modules, signer):
            written.append(rpm_folder(os, architecture))
    return written
