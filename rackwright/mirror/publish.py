"""Makes the mirror say what it carries: suites, rpm repositories, image layout, public key, lock; each replaced by one rename.

The last act of a sync: before it hosts see the mirror as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from rackwright.mirror import apt_index, apt_publish, images, rpm_index, rpm_publish, signing
from rackwright.mirror.choose import Chosen
from rackwright.mirror.layout import LOCK, PUBLIC_KEY, SUITE, WORK
from rackwright.mirror.lock import Lock
from rackwright.mirror.order import Came, Event, Order, Synced
from rackwright.mirror.required import Due
from rackwright.mirror.signing import Signer
from rackwright.mirror.stored_files import Kept, is_rpm, rpm_folder
from rackwright.model.artifact import Artifact

Pairs = Sequence[tuple[Due, Artifact]]


def publish(site: str, kept: Kept, came: Came, order: Order, on_event: Event, now: datetime) -> Synced:
    """Write every index that differs, then the lock; remove what nothing asks for when that was ordered."""
    layout = kept.layout
    artifacts = tuple(sorted((*(one for _, one in came.packages), *came.others), key=lambda one: (one.path, one.name)))
    left = {need: asker for _, found in came.chosen.groups for need, asker in found.left.items()}
    with signing.opened(order.sign_key, layout.secrets) as signer:
        layout.put(layout.root / PUBLIC_KEY, signer.public)
        written = [
            *_apt(kept, came.packages, came.chosen, signer, now),
            *_rpm(kept, came.packages, came.chosen, signer),
        ]
        signed_by = signer.fingerprint
    if images.publish(kept, artifacts):
        written.append(images.FOLDER)
    lock = Lock(site=site, signed_by=signed_by, artifacts=artifacts, left=dict(sorted(left.items())))
    if layout.put(layout.root / LOCK, lock.text().encode()):
        written.append(LOCK)
    for one in written:
        on_event("mirror.published", {"index": one})
    stray = strays(kept, artifacts)
    if order.prune:
        for path in stray:
            (layout.root / path).unlink()
    return Synced(
        artifacts, came.fetched, came.bytes_read, tuple(written), lock.left, came.chosen.unread, stray, signed_by,
        layout.root / PUBLIC_KEY,
    )  # fmt: skip


def strays(kept: Kept, artifacts: Sequence[Artifact]) -> tuple[str, ...]:
    """Files of packages, vendors and images that no line of the lock names."""
    known = {one.path for one in artifacts}
    root = kept.layout.root
    indexes = ("dists", WORK, LOCK, PUBLIC_KEY, "images/index.json", "images/oci-layout")
    found = [path.relative_to(root) for path in root.rglob("*") if path.is_file()]
    return tuple(
        sorted(
            str(path)
            for path in found
            if str(path) not in known and not str(path).startswith(indexes) and "repodata" not in path.parts
        )
    )


def _apt(kept: Kept, packages: Pairs, chosen: Chosen, signer: Signer, now: datetime) -> list[str]:
    """One suite per operating system, and `SUITE` for the only one."""
    systems: dict[str, dict[str, list[str]]] = {}
    for group, _ in chosen.groups:
        if not is_rpm(group.os):
            systems.setdefault(group.os, {}).setdefault(group.architecture, [])
    for due, artifact in packages:
        for architecture, entries in systems.get(artifact.os or "", {}).items():
            if artifact.architecture in {architecture, "all"}:
                entries.append(apt_index.placed(due.entry, artifact.path))
    suites = dict(systems) | ({SUITE: next(iter(systems.values()))} if len(systems) == 1 else {})
    return [
        f"dists/{suite}"
        for suite, entries in suites.items()
        if apt_publish.publish(kept.layout, suite, entries, signer, now)
    ]


def _rpm(kept: Kept, packages: Pairs, chosen: Chosen, signer: Signer) -> list[str]:
    """One repository per operating system and architecture."""
    repositories = {(group.os, group.architecture): list[str]() for group, _ in chosen.groups if is_rpm(group.os)}
    for (os, architecture), entries in repositories.items():
        folder = f"{rpm_folder(os, architecture)}/"
        for due, artifact in packages:
            if artifact.path.startswith(folder):
                entries.append(rpm_index.placed(due.entry, artifact.path.removeprefix(folder)))
    written = []
    for (os, architecture), entries in repositories.items():
        fresh = chosen.modules.get((os, architecture))
        modules = "".join(sorted(fresh)) if fresh is not None else kept.modules(os, architecture)
        if rpm_publish.publish(kept.layout, rpm_folder(os, architecture), entries, modules, signer):
            written.append(rpm_folder(os, architecture))
    return written
