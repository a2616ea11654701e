"""dpkg's own files on a freshly installed node: the packages of the system's image, and those of the mirror that it comes with."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from rackwright.twin import systems
from rackwright.twin.mirror import package as deb
from rackwright.twin.mirror.families import PackageDefinition

LINKER = """\
#!/bin/sh
set -e
if [ "$1" = triggered ] || [ "$1" = configure ]; then ldconfig; fi
"""
"""What the maintainer script of libc-bin does (glibc, debian/debhelper.in/libc-bin.postinst)."""


def write(work: Path, installed: Sequence[PackageDefinition], system: systems.HostSystem) -> None:
    """Write them below `work`, which holds the files of `installed`."""
    names = {package.name for package in installed}
    state, info = work / "var/lib/dpkg", work / "var/lib/dpkg/info"
    info.mkdir(parents=True)
    paragraphs = []
    for name, version in sorted(system.packages.items()):
        if name not in names:
            image = PackageDefinition(name=name, version=version, summary=f"{name} of {system.title}")
            provided = system.provides.get(name, [])
            paragraphs.append(_paragraph(image.model_copy(update={"provides": provided, "conflicts": provided})))
            (info / f"{name}.list").write_text("/.\n")
            (info / f"{name}.md5sums").touch()
    for package in installed:
        paragraphs.append(_paragraph(package))
        (info / f"{package.name}.list").write_text("".join(f"{path}\n" for path in ["/.", *deb.paths(package)]))
        sums = [(hashlib.md5(_usr_merged_path(work, path).read_bytes()), path[1:]) for path in deb.paths(package)]  # noqa: S324 - dpkg's
        (info / f"{package.name}.md5sums").write_text(
            "".join(f"{digest.hexdigest()}  {path}\n" for digest, path in sums)
        )
        for script, text in deb.scripts(package).items():
            (info / f"{package.name}.{script}").write_text(text)
            (info / f"{package.name}.{script}").chmod(0o755)
    (state / "status").write_text("".join(f"{text}\n\n" for text in paragraphs), encoding="utf-8")
    (info / "format").write_text("1\n")
    (info / "libc-bin.triggers").write_text("interest-noawait ldconfig\n")
    (info / "libc-bin.postinst").write_text(LINKER)
    (info / "libc-bin.postinst").chmod(0o755)
    (state / "triggers").mkdir()
    (state / "triggers/ldconfig").write_text("libc-bin/noawait\n")
    for name in ("available", "diversions", "statoverride", "triggers/File", "triggers/Unincorp"):
        (state / name).touch()


def _paragraph(package: PackageDefinition) -> str:
    lines = deb.control_text(package, 1).splitlines()
    return "\n".join([lines[0], "Status: install ok installed", *lines[1:]])


def _usr_merged_path(work: Path, path: str) -> Path:
    return work / ("usr" if path.startswith(("/bin/", "/sbin/", "/lib/")) else "") / path[1:]
