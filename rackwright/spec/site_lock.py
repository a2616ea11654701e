"""``site.lock.json`` beside the site file: the keys of the site's mirror, pinned by digest, to be kept in version control with the site.

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
    rpm_keys_sha256: Digest | None = None
    """Of the file of public keys that sign its rpm packages (``rackwright-rpm-keys.asc``); None for a mirror without any."""


def read_lock(site_file: Path) -> SiteLock | None:
    """The lock of a site; None where there is none. ProblemsError for one that cannot be read."""
    path = site_file.with_name(SITE_LOCK)
    try:
        return SiteLock.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
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


def pin_keys(site_file: Path, key: Path, rpm_keys: Path | None = None) -> tuple[SiteLock | None, SiteLock]:
    """Pin the public key in the file `key`, and those in `rpm_keys`; returns the lock as it was before (None: there was none) and as it is now.

    OutsideError where the folder of the site cannot be written to.
    """
    before, path = read_lock(site_file), site_file.with_name(SITE_LOCK)
    now = SiteLock(mirror_key_sha256=_digest(key), rpm_keys_sha256=_digest(rpm_keys) if rpm_keys else None)
    if before != now:
        try:
            replace_file(path, f"{now.model_dump_json(indent=1, exclude_none=True)}\n".encode(), 0o644)
        except OSError as error:
            raise OutsideError(
                f"{path} cannot be written ({error.strerror}): the mirror is complete; give software.options.base_apt_key_sha256: {now.mirror_key_sha256}"
            ) from error
    return before, now


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
