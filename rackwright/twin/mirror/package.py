"""Writes a `Package` record as a Debian package (``.deb``)."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from rackwright.base.errors import OutsideError
from rackwright.twin.mirror import modules
from rackwright.twin.mirror.definition import substitute
from rackwright.twin.mirror.families import FOLDER, PackageDefinition, PackageFile
from rackwright.twin.mirror.tools import DEBIAN_PACKAGES, run

MAINTAINER = "rackwright twin <twin@rackwright.invalid>"
BUILT = 1767225600
"""Time of every file of a package, in seconds since 1970: the same wherever it is put, as rpm compares it."""
SERVICE_SCRIPTS = ("postinst", "prerm", "postrm")
DKMS_SCRIPTS = ("postinst", "prerm")
PROGRAM = """\
#!/usr/bin/python3 -IS
import sys
sys.path.insert(0, "/usr/lib/rackwright-twin")
from guest.{0} import {1}
sys.exit({1}())
"""


def file_name(package: PackageDefinition) -> str:
    """Name of the package file; Debian leaves the epoch out of it."""
    return f"{package.name}_{package.version.split(':', 1)[-1]}_{package.architecture}.deb"


def write(package: PackageDefinition, programs: Path, work: Path, pool: Path, signer: str) -> Path:
    """Build `package` below `work` and put it into `pool`.

    `programs` is the folder of `nvml.library.build`; `signer` signs the modules of the system's kernels.
    """
    root = work / f"{package.name}_{package.version.replace(':', '_')}"
    place(package, root, programs, signer)
    size = sum(part.lstat().st_size for part in root.rglob("*") if not part.is_dir())
    _control(package, root, -(-size // 1024))
    for part in (root, *root.rglob("*")):
        if part.is_dir():
            part.chmod(0o755)  # whatever the caller's umask: users of a node must be able to enter
    target = pool / file_name(package)
    run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", str(root), str(target)])
    shutil.rmtree(root)
    return target


def place(package: PackageDefinition, root: Path, programs: Path, signer: str = "") -> None:
    """Write the files of `package` below `root`; packages with modules of a kernel need its `signer`."""
    for path, file in package.files.items():
        _place(package, file, root / path.lstrip("/"), programs)
    for name, module in package.modules.items():
        release = package.variables["release"]
        target = root / "lib/modules" / release / module.folder / f"{name}.ko"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(modules.built(name, module, release, signer))
    if package.dkms:
        for path, text in modules.sources(package.dkms, package.upstream).items():
            _place(package, PackageFile(text=text), root / path.lstrip("/"), programs)
    for path in paths(package):
        os.utime(root / path.lstrip("/"), (BUILT, BUILT), follow_symlinks=False)


def paths(package: PackageDefinition) -> list[str]:
    """Every path that `place` writes."""
    release = package.variables.get("release", "")
    built = (f"/lib/modules/{release}/{module.folder}/{name}.ko" for name, module in package.modules.items())
    return [*package.files, *built, *(modules.sources(package.dkms, package.upstream) if package.dkms else ())]


def _place(package: PackageDefinition, file: PackageFile, target: Path, programs: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    if file.link is not None:
        target.symlink_to(file.link)
        return
    if file.binary is not None:
        kind, program = file.binary.split("/", 1)
        shutil.copyfile(programs / f"{kind}-{package.upstream}" / program, target)
    elif file.machine is not None:
        _copy_machine_file(Path(file.machine), target)
    elif file.program is not None:
        module, _, entry = file.program.partition(":")
        target.write_text(PROGRAM.format(module, entry or "main"))
    else:
        target.write_text(file.text if file.text is not None else template(package, str(file.template)))
    target.chmod(int(file.mode or ("0755" if file.binary or file.program else "0644"), 8))


def _copy_machine_file(source: Path, target: Path) -> None:
    try:
        shutil.copyfile(source, target)
    except FileNotFoundError:
        package = DEBIAN_PACKAGES[source.name]
        raise OutsideError(
            f"{source} is missing, which the twin's hosts need; install the Debian package {package}"
        ) from None


def template(package: PackageDefinition, name: str) -> str:
    """The text of a template of ``files/`` for `package`."""
    variables = {**package.variables, "dkms_name": package.dkms.name} if package.dkms else package.variables
    return substitute((FOLDER / "files" / name).read_text(), variables)


def _control(package: PackageDefinition, root: Path, kibibytes: int) -> None:
    folder = root / "DEBIAN"
    folder.mkdir(parents=True)
    (folder / "control").write_text(control_text(package, kibibytes))
    for script, text in scripts(package).items():
        target = folder / script
        target.write_text(text)
        target.chmod(0o755)
    if package.conffiles:
        (folder / "conffiles").write_text("".join(f"{path}\n" for path in package.conffiles))
    if package.ldconfig:
        (folder / "triggers").write_text("activate-noawait ldconfig\n")
    for part in (folder, *folder.iterdir()):
        part.chmod(0o755 if part.is_dir() or part.name in SERVICE_SCRIPTS else 0o644)


def scripts(package: PackageDefinition) -> dict[str, str]:
    """Maintainer scripts of `package`, by name."""
    templates = {str(name): text for name, text in package.scripts.items() if name in SERVICE_SCRIPTS}
    if package.service:
        templates |= {script: f"service.{script}" for script in SERVICE_SCRIPTS}
    if package.dkms:
        templates |= {script: f"dkms.{script}" for script in DKMS_SCRIPTS}
    return {script: template(package, name) for script, name in templates.items()}


def control_text(package: PackageDefinition, kibibytes: int) -> str:
    """The control file of `package`, whose files take `kibibytes` on disk."""
    fields = {
        "Package": package.name,
        "Version": package.version,
        "Architecture": package.architecture,
        "Section": package.section,
        "Priority": "optional",
        "Installed-Size": str(kibibytes),
        "Maintainer": MAINTAINER,
        "Depends": ", ".join(package.depends),
        "Recommends": ", ".join(package.recommends),
        "Conflicts": ", ".join(package.conflicts),
        "Provides": ", ".join(package.provides),
        "Description": f"{package.summary}\n Stands in for the vendor's package on the nodes of a rackwright twin.",
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items() if value)
