"""Writes self-extracting vendor files (``.run``) and the list of their digests: the files of a mirror besides packages.

Such a file is a shell script followed by an archive, in the format of makeself; its installer gets the arguments of the command
line. Equal inputs give equal bytes, so that digests do not change.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import shutil
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from rackwright.twin.mirror import rpm_package
from rackwright.twin.mirror.definition import substitute
from rackwright.twin.mirror.families import FOLDER, PackageDefinition
from rackwright.twin.mirror.package import place, write

DIGESTS = "SHA256SUMS"
HEAD = """\
#!/bin/sh
# {name}: stands in for the vendor's file on the nodes of a rackwright twin.
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tail -n +{lines} "$0" | tar -xzf - -C "$folder"
code=0
sh "$folder/install.sh" "$folder/root" "$@" || code=$?
exit $code
"""


def write_all(files: Sequence[PackageDefinition], programs: Path, work: Path, folder: Path) -> None:
    """Write `files` and the list of their digests into `folder`."""
    folder.mkdir()
    digests = []
    for file in files:
        content = content_of(file, programs, work)
        (folder / file.name).write_bytes(content)
        (folder / file.name).chmod(0o644)
        digests.append(f"{hashlib.sha256(content).hexdigest()}  {file.name}\n")
    (folder / DIGESTS).write_text("".join(sorted(digests, key=lambda line: line.split()[1])))


def content_of(file: PackageDefinition, programs: Path, work: Path) -> bytes:
    """The bytes of one vendor file."""
    root = work / f"{file.name}.payload"
    if file.run_file == "package":
        return _package(file, programs, work)
    if file.run_file == "archive":
        place(file, root, programs)
        return _archive(root, file.name)
    place(file, root / "root", programs)
    template = (FOLDER / "files" / file.run_file).read_text()
    dkms = {"dkms_name": file.dkms.name} if file.dkms else {}
    (root / "install.sh").write_text(substitute(template, {**file.variables, **dkms, "upstream": file.upstream}))
    head = HEAD.format(name=file.name, lines=HEAD.count("\n") + 1)
    return head.encode() + _archive(root, ".tar.gz")


def _package(file: PackageDefinition, programs: Path, work: Path) -> bytes:
    """A package that its vendor publishes as a file: of the kind that the end of its name says."""
    pool = work / f"{file.name}.pool"
    pool.mkdir()
    itself = file.model_copy(update={"name": file.variables["package"], "version": file.variables["package_version"]})
    if file.name.endswith(".rpm"):
        rpm_package.write_all([itself], programs, work, pool, "")
    else:
        write(itself, programs, work, pool, "")
    content = next(pool.iterdir()).read_bytes()
    shutil.rmtree(pool)
    return content


def _archive(root: Path, name: str) -> bytes:
    """Everything below `root`, which is deleted, in the format that the suffix of `name` names."""
    archive, paths = io.BytesIO(), sorted(root.rglob("*"))
    if name.endswith(".zip"):
        with zipfile.ZipFile(archive, "w") as box:
            for path in (entry for entry in paths if entry.is_file()):
                box.writestr(zipfile.ZipInfo(path.relative_to(root).as_posix()), path.read_bytes())
    else:
        with tarfile.open(fileobj=archive, mode="w") as tar:
            for path in paths:
                tar.add(path, path.relative_to(root).as_posix(), recursive=False, filter=_same_everywhere)
    shutil.rmtree(root)
    return archive.getvalue() if name.endswith(".zip") else gzip.compress(archive.getvalue(), mtime=0)


def _same_everywhere(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = "root"
    if member.isdir():
        member.mode = 0o755
    return member
