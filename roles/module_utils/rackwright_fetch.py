"""Files that come over HTTP: keys of package sources, and vendor files that no repository carries.

Entries have `url`, `path` and, for vendor files, `sha256`, or `digests`: the URL of a list as sha256sum(1) writes it, for files whose digest the site
does not declare itself. A file is renamed into place only after its digest was right, so an interrupted download leaves nothing that looks finished.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import urllib.error
import urllib.request
from pathlib import Path

from ansible.module_utils.rackwright_act import ActError

SECONDS = 30
"""Longest silence of a server before the download is given up."""
CHUNK = 1 << 20


def bring(act, entry):
    """Fetch one file, unless it exists with the right digest."""
    path, expected = Path(entry["path"]), entry.get("sha256") or _listed(entry)
    if path.exists() and (not expected or digest(path) == expected):
        return
    act.changed(str(path), "absent\n" if not path.exists() else "another file\n", f"{entry['url']}\n")
    if act.check:
        return
    path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    try:
        fetched = download(entry["url"], partial)
        if expected and fetched != expected:
            raise ActError(
                f"{entry['url']} has the digest sha256:{fetched}, expected sha256:{expected}; check the mirror"
            )
        partial.chmod(int(str(entry.get("mode") or "0644"), 8))
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def _listed(entry):
    """The digest of the file in the list `digests` on the mirror; empty if the entry names no list. ActError if it is not listed."""
    if not entry.get("digests"):
        return ""
    name = entry["url"].rsplit("/", 1)[-1]
    try:
        with urllib.request.urlopen(entry["digests"], timeout=SECONDS) as answer:  # noqa: S310 - the URL is declared
            rows = [line.split() for line in answer.read().decode().splitlines()]
    except (urllib.error.URLError, OSError) as error:
        reason = getattr(error, "reason", error)
        raise ActError(f"{entry['digests']} could not be fetched: {reason}; is the mirror up?") from None
    digests = [row[0] for row in rows if len(row) == 2 and row[1].lstrip("*") == name]
    if not digests:
        raise ActError(f"{entry['digests']} does not list {name}; put the file on the mirror, or give its digest")
    return digests[0]


def digest(path):
    """SHA-256 of a file, in hexadecimal digits."""
    state = hashlib.sha256()
    with Path(path).open("rb") as file:
        while chunk := file.read(CHUNK):
            state.update(chunk)
    return state.hexdigest()


def download(url, target):
    """Fetch `url` to the file `target`, and return its SHA-256; ActError if the download is incomplete."""
    state = hashlib.sha256()
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer, Path(target).open("wb") as file:  # noqa: S310 - the URL is declared
            while chunk := answer.read(CHUNK):
                state.update(chunk)
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
            promised, received = answer.headers.get("Content-Length"), file.tell()
    except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
        raise ActError(f"{url} could not be fetched: {getattr(error, 'reason', error)}; is the mirror up?") from None
    if promised is not None and int(promised) != received:  # http.client says nothing of an answer that broke off
        raise ActError(f"{url} broke off after {received} of {promised} bytes; nothing was kept, onboard again")
    return state.hexdigest()
