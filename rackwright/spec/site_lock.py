"""``site.lock.json`` beside the site file: the key of the site's mirror, pinned by digest, to be kept in version control with the site.

`rackwright mirror sync` writes it, and hosts accept no other key: who answers in place of a mirror over HTTP has another one.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from pydantic import ValidationError

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import OutsideError, Problem, ProblemsError
from rackwright.model.base import Record
from rackwright.model.texts import Digest

SITE_LOCK = "site.lock.json"


class SiteLock(Record):
    """The whole file."""

    format: int = 1
    mirror_key_sha256: Digest
    """Of the file of the public key that signs the mirror (``rackwright-mirror.asc``)."""


def pinned_key(site_file: Path) -> str:
    """The digest of the mirror's key that is pinned for a site; empty without a lock. ProblemsError for one that cannot be read."""
    path = site_file.with_name(SITE_LOCK)
    try:
        return SiteLock.model_validate_json(path.read_text(encoding="utf-8")).mirror_key_sha256
    except FileNotFoundError:
        return ""
    except (OSError, ValidationError, UnicodeDecodeError) as error:
        problem = Problem(
            place=str(path),
            path="mirror_key_sha256",
            message="the lock of the site cannot be read",
            expected="a file that `rackwright mirror sync` wrote",
            found=" ".join(str(error).splitlines()[:3]),
            next_step="restore it from version control, or remove it and run `rackwright mirror sync` again",
            code="mirror.bad_site_lock",
        )
        raise ProblemsError([problem]) from error


def pin_key(site_file: Path, key: Path) -> tuple[str, str]:
    """Pin the public key in the file `key`; returns the digest that was pinned before (empty: none) and the one that is now.

    OutsideError where the folder of the site cannot be written to.
    """
    before, now = pinned_key(site_file), hashlib.sha256(key.read_bytes()).hexdigest()
    path = site_file.with_name(SITE_LOCK)
    if before != now:
        lock = SiteLock(mirror_key_sha256=now)
        try:
            replace_file(path, f"{lock.model_dump_json(indent=1)}\n".encode(), 0o644)
        except OSError as error:
            raise OutsideError(
                f"{path} cannot be written ({error.strerror}): the mirror is complete; give software.options.base_apt_key_sha256: {now}"
            ) from error
    return before, now
