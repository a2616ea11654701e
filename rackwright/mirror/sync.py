"""Fills the mirror: choose, fetch, publish, lock. What is visible to hosts changes in the last step, and only when all came.

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
from rackwright.mirror import images, publish
from rackwright.mirror import required as dues
from rackwright.mirror.choose import Chooser
from rackwright.mirror.download import Download
from rackwright.mirror.fetch import Fetcher
from rackwright.mirror.keyring import Keyring
from rackwright.mirror.layout import Layout
from rackwright.mirror.order import Came, Event, Order, Synced
from rackwright.mirror.registry import Registry
from rackwright.mirror.repository import Reader
from rackwright.mirror.requested import Group
from rackwright.mirror.required import Due, Places
from rackwright.mirror.signing import Signer
from rackwright.mirror.stored_files import Kept
from rackwright.model.artifact import Artifact
from rackwright.model.software import Software


def sync(
    site: str, software: Software, groups: Sequence[Group], order: Order, on_event: Event, now: datetime
) -> Synced:
    """Bring the mirror in ``order.to`` to what `groups` ask for.

    Raises `ProblemsError` with everything that is missing or not to be trusted (nothing is published then), `UsageError`
    for a folder that is another site's or is being filled, `OutsideError` where the disk or gpg refuse.
    """
    layout = Layout(order.to)
    layout.prepare()
    hold = file_lock.take(layout.work / "busy", f"{order.to} is being filled by another sync; let it end, or use --to")
    try:
        kept = Kept(layout)
        if kept.lock.site not in {"", site}:
            raise UsageError(f"{order.to} is the mirror of {kept.lock.site}: give {site} a folder of its own with --to")
        if order.sign_key:  # a key that gpg does not know must not wait until everything is fetched
            Signer(order.sign_key, {})
        places = Places(order.upstreams, order.files, software.apt_mirror, software.file_mirror)
        came = asyncio.run(_bring(groups, order, kept, places, on_event, now))
        return publish.publish(site, kept, came, order, on_event, now)
    finally:
        os.close(hold)


async def _bring(
    groups: Sequence[Group], order: Order, kept: Kept, places: Places, on_event: Event, now: datetime
) -> Came:
    async with Fetcher(kept.layout.partial, order.jobs) as fetcher:
        keyring = Keyring(order.keys, fetcher)
        reader = Reader(fetcher, keyring, kept.layout.indexes, now, on_event)
        problems: list[Problem] = []
        chooser = Chooser(reader, order.upstreams, kept, upgrade=order.upgrade)
        try:
            await chooser.run(groups)
        except ProblemsError as error:
            problems += error.problems
        files, unknown = dues.files(groups, places, kept, upgrade=order.upgrade)
        problems += unknown
        pictures: list[Due] = []
        try:
            pictures = await images.due(groups, Registry(fetcher.session), kept, upgrade=order.upgrade)
        except ProblemsError as error:
            problems += error.problems
        if problems:
            raise ProblemsError(problems)
        packages = dues.packages(chooser.chosen.groups)
        download = Download(fetcher, kept, keyring, on_event)
        came = await download.run([*packages, *files, *pictures])
        keys = _keys(keyring, kept)
        pairs = tuple(zip(packages, came[: len(packages)], strict=True))
        others = (*came[len(packages) :], *keys)
        return Came(chooser.chosen, pairs, others, download.files, download.bytes_read)


def _keys(keyring: Keyring, kept: Kept) -> list[Artifact]:
    """The keys of the upstreams, those of this run and those of runs before."""
    found = {one.path: one for one in kept.lock.artifacts if one.kind == "key" and one.path.startswith("keys/")}
    for name, (ring, origin) in sorted(keyring.used.items()):
        path = f"keys/{name}.asc"
        kept.layout.put(kept.layout.root / path, ring.keys)
        digest = hashlib.sha256(ring.keys).hexdigest()
        found[path] = Artifact(
            kind="key", name=name, path=path, url=origin, size=len(ring.keys), sha256=digest, upstream=name
        )
    return [found[path] for path in sorted(found)]
