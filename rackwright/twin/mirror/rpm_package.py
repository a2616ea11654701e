"""Writes package definitions as rpm packages, many by one run of rpmbuild: each is a subpackage of the same spec."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from rackwright.twin.mirror import package as contents
from rackwright.twin.mirror.families import FOLDER, PackageDefinition
from rackwright.twin.mirror.tools import run

__all__ = ["FOLDER", "file_name", "scripts", "write_all"]
ARCHITECTURES = {"amd64": "x86_64", "all": "noarch"}
SCRIPTS = ("pre", "post", "preun", "postun", "posttrans")
FILE_TRIGGERS = {"transfiletriggerin": "-- /lib /usr/lib /lib64 /usr/lib64"}
"""Triggers on files, with the folders that glibc of EL 9 names (glibc.spec)."""
SERVICE_SCRIPTS = {"pre": "rpm-service.pre", "post": "rpm-service.post", "preun": "rpm-service.preun"}
DKMS_SCRIPTS = {"post": "rpm-dkms.post", "preun": "rpm-dkms.preun"}
HEAD = """\
%global debug_package %{nil}
%global __os_install_post %{nil}
%global __check_files %{nil}
%define _build_id_links none
%define _binary_payload w0.gzdio
%define _buildhost twin.rackwright.invalid
%define _unpackaged_files_terminate_build 0
Name: twin
Version: 1
Release: 1
License: MIT
Vendor: rackwright twin
Summary: packages of a rackwright twin
%description
Never written: it has no files.
"""
FILE_NAME = "%%{NAME}-%%{VERSION}-%%{RELEASE}.%%{ARCH}.rpm"


def file_name(package: PackageDefinition) -> str:
    """Name of the package file; rpm leaves the epoch out of it."""
    _, version, release = evr(package.version)
    return f"{package.name}-{version}-{release}.{ARCHITECTURES[package.architecture]}.rpm"


def evr(text: str) -> tuple[str, str, str]:
    """Epoch, version and release. An rpm always has a release (rpm-spec(8)): the first where the version names none."""
    epoch, _, rest = text.rpartition(":")
    version, dash, release = rest.rpartition("-")
    return (epoch, version, release) if dash else (epoch, rest, "1")


def write_all(packages: Sequence[PackageDefinition], programs: Path, work: Path, pool: Path, signer: str) -> None:
    """Build every one of `packages` below `work` and put its file into `pool`; see `package.write` for the rest."""
    for number, batch in enumerate(batches(packages)):
        top, root = work / f"rpm-{number}", work / f"rpm-{number}" / "root"
        root.mkdir(parents=True)
        for package in batch:
            contents.place(package, root, programs, signer)
        (top / "twin.spec").write_text(HEAD + "".join(_part(package, root) for package in batch), encoding="utf-8")
        places = {"_topdir": top, "_rpmdir": pool, "_rpmfilename": FILE_NAME}
        settings = [word for name, value in places.items() for word in ("--define", f"{name} {value}")]
        build = ["rpmbuild", "-bb", "--quiet", "--nodeps", "--noclean", "--target", "x86_64-redhat-linux"]
        run([*build, *settings, "--buildroot", str(root), "twin.spec"], folder=top, environment={"HOME": str(top)})
        shutil.rmtree(top)


def batches(packages: Sequence[PackageDefinition]) -> list[list[PackageDefinition]]:
    """Packages that one spec can hold together: no name twice, no path twice."""
    every: list[tuple[set[str], list[PackageDefinition]]] = []
    for package in packages:
        names = {package.name, *contents.paths(package)}
        free = next((entry for entry in every if not names & entry[0]), None)
        if free is None:
            free = (set(), [])
            every.append(free)
        free[0].update(names)
        free[1].append(package)
    return [batch for _, batch in every]


def _part(package: PackageDefinition, root: Path) -> str:
    """The section of one package in a spec (rpm-spec(8))."""
    epoch, version, release = evr(package.version)
    fields = [("Version", version), ("Release", release), ("Epoch", epoch), ("Summary", package.summary)]
    fields += [("BuildArch", "noarch")] if package.architecture == "all" else []
    relations = {"Requires": package.depends, "Recommends": package.recommends, "Conflicts": package.conflicts}
    relations |= {"Provides": package.provides, "Obsoletes": package.obsoletes}
    fields += [(field, relation(entry)) for field, entries in relations.items() for entry in entries]
    lines = [f"%package -n {package.name}", *(f"{name}: {_without_macros(text)}" for name, text in fields if text)]
    lines += [
        "AutoReqProv: no",
        f"%description -n {package.name}",
        "Stands in for the vendor's package on the nodes of a rackwright twin.",
    ]
    for name, text in scripts(package).items():
        lines += [f"%{name} -n {package.name} {FILE_TRIGGERS.get(name, '')}", _without_macros(text)]
    return "\n".join([*lines, f"%files -n {package.name}", *_files(package, root), ""]) + "\n"


def relation(text: str) -> str:
    """A relation of dpkg as rpm has it: ``a (= 1) | b`` is ``(a = 1 or b)``; one of rpm stays as it is."""
    parts = [re.sub(r"^(\S+) \(([<>=]+) (\S+)\)$", r"\1 \2 \3", part.strip()) for part in text.split(" | ")]
    return f"({' or '.join(parts)})" if len(parts) > 1 else parts[0]


def _files(package: PackageDefinition, root: Path) -> Iterator[str]:
    for path in contents.paths(package):
        target = root / path.lstrip("/")
        if os.path.lexists(target):
            mode = "-" if target.is_symlink() else f"{target.stat().st_mode & 0o7777:o}"
            kind = "%config(noreplace) " if path in package.conffiles else ""
            yield f"{kind}%attr({mode},root,root) {_without_macros(path)}"


def scripts(package: PackageDefinition) -> dict[str, str]:
    """Scripts of `package`, by the name that a spec has for them; what several templates say of one is joined."""
    names = {*SCRIPTS, *FILE_TRIGGERS}
    templates = {str(name): [template] for name, template in package.scripts.items() if name in names}
    for further in (SERVICE_SCRIPTS if package.service else {}, DKMS_SCRIPTS if package.dkms else {}):
        for name, template in further.items():
            templates.setdefault(name, []).append(template)
    return {name: "".join(contents.template(package, each) for each in parts) for name, parts in templates.items()}


def _without_macros(text: str) -> str:
    """`text` without macros."""
    return text.replace("%", "%%")
