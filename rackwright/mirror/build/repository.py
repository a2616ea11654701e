"""The repository of what was built for one system and architecture, beside the mirror's indexes: signed by the mirror's key, read by a sync.

DIR/.sync/built/<os>/<amd64|arm64>/packages/     the packages
DIR/.sync/built/<os>/<amd64|arm64>/built.json    what each was made of, so that nothing is built twice
DIR/.sync/built/key.asc                          the key that signed
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import OutsideError
from rackwright.mirror.apt_publish import publish_suite
from rackwright.mirror.build.host import BuildHost
from rackwright.mirror.build.packaging import deb_control
from rackwright.mirror.build.planning import PlannedBuild
from rackwright.mirror.fetch import file_digest
from rackwright.mirror.layout import SUITE, MirrorLayout
from rackwright.mirror.signing import Signer
from rackwright.model.base import Record
from rackwright.upstreams import Upstreams

UPSTREAM = "built"
"""Name of the upstream."""
RECORD = "built.json"


class BuiltSoftware(Record):
    """One recipe that was built: a line of ``built.json``."""

    recipe: str
    version: str
    inputs: str
    """Digest of recipe, words and source."""
    source: str
    """Address of the source."""
    source_sha256: str
    packages: dict[str, str]
    """Name of the file -> SHA-256."""


class BuiltRepository:
    """The repository for packages of one kind of host."""

    def __init__(self, layout: MirrorLayout, host: BuildHost) -> None:
        self.root = built_folder(layout.root) / host.os / str(host.architecture)
        self._host = host

    @property
    def packages(self) -> Path:
        """The folder of the packages."""
        return self.root / "packages"

    def read(self) -> list[BuiltSoftware]:
        """The built software; empty if the record is missing or damaged, so that everything is built again."""
        try:
            return [BuiltSoftware.model_validate(line) for line in json.loads((self.root / RECORD).read_text())]
        except (OSError, ValueError):
            return []

    def has(self, build: PlannedBuild) -> bool:
        """Whether exactly these packages are there, complete."""
        return any(
            line.inputs == build.inputs
            and all((self.packages / name).is_file() and file_digest(self.packages / name) == digest for name, digest in line.packages.items())
            for line in self.read()
        )  # fmt: skip

    def publish(self, fresh: Sequence[tuple[PlannedBuild, str, Sequence[Path]]], signer: Signer, now: datetime) -> None:
        """Add the packages of builds (with the address of their source), sign and list them; packages that they replace are removed."""
        names = {build.recipe.name for build, _, _ in fresh}
        lines = [line for line in self.read() if line.recipe not in names]
        if self._host.packager == "rpm":
            signer.sign_rpms([path for _, _, paths in fresh for path in paths])
        self.packages.mkdir(parents=True, exist_ok=True)
        for build, url, paths in fresh:
            digests = {path.name: file_digest(path) for path in paths}
            for path in paths:
                path.replace(self.packages / path.name)
            lines.append(
                BuiltSoftware(
                    recipe=build.recipe.name, version=build.version, inputs=build.inputs, source=url,
                    source_sha256=build.sha256, packages=digests,
                )
            )  # fmt: skip
        keep = {name for line in lines for name in line.packages}
        for path in self.packages.iterdir():
            if path.name not in keep:
                path.unlink()
        self._index(sorted(keep), signer, now)
        replace_file(self.root.parents[1] / "key.asc", signer.public)
        text = json.dumps([line.model_dump(mode="json") for line in lines], indent=1)
        replace_file(self.root / RECORD, f"{text}\n")

    def _index(self, names: Sequence[str], signer: Signer, now: datetime) -> None:
        if self._host.packager == "dpkg":
            entries = [_entry(self.packages / name) for name in names]
            publish_suite(MirrorLayout(self.root), SUITE, {str(self._host.architecture): entries}, signer, now)
            return
        words = ["createrepo_c", "--quiet", "--no-database", "--simple-md-filenames", "--general-compress-type=gz", "."]
        done = subprocess.run(words, cwd=self.root, capture_output=True, text=True, check=False)
        if done.returncode:
            raise OutsideError(f"createrepo_c failed: {done.stderr.strip()}")
        summary = self.root / "repodata" / "repomd.xml"
        replace_file(summary.with_name("repomd.xml.asc"), signer.detached(summary.read_bytes()))


def built_folder(mirror: Path) -> Path:
    """Where a mirror keeps what was built for it."""
    return MirrorLayout(mirror).work / UPSTREAM


def built_architectures(mirror: Path) -> dict[str, list[str]]:
    """Operating systems for which something was built, with their architectures."""
    folders = [path.parent for path in built_folder(mirror).glob(f"*/*/{RECORD}")]
    systems = sorted({folder.parent.name for folder in folders})
    return {os: sorted(folder.name for folder in folders if folder.parent.name == os) for os in systems}


def with_built(upstreams: Upstreams, mirror: Path) -> tuple[Upstreams, dict[str, Path]]:
    """`upstreams` with the address of what was built for `mirror`, and its key; nothing changes where nothing was built or an address is given."""
    systems = built_architectures(mirror)
    folder = built_folder(mirror).resolve()
    entries, used = [], False
    for upstream in upstreams.upstreams:
        here = {os: words for os, words in upstream.os.items() if os in systems}
        if upstream.name == UPSTREAM and not upstream.url and here:
            places = {"os": here, "url": f"{folder.as_uri()}/{{os}}/{{architecture}}"}
            entries.append(upstream.model_copy(update=places))
            used = True
        else:
            entries.append(upstream)
    return upstreams.model_copy(update={"upstreams": entries}), {UPSTREAM: folder / "key.asc"} if used else {}


def _entry(path: Path) -> str:
    """The entry of a package in ``Packages``."""
    control = deb_control(path).dump()
    return f"{control.rstrip()}\nFilename: packages/{path.name}\nSize: {path.stat().st_size}\nSHA256: {file_digest(path)}\n"
