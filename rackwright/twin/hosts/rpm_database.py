"""The rpm database of a freshly installed node: real packages, entered by rpm itself, of the system's image and of the mirror.

It is written once and kept, as the mirror is: rpm takes a second for it, and every twin needs the same.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rackwright.twin import systems
from rackwright.twin.mirror import rpm_package
from rackwright.twin.mirror.families import PackageDefinition
from rackwright.twin.mirror.tools import run

FOLDER = "var/lib/rpm"
DATABASE = "rpmdb.sqlite"


def write(work: Path, installed: Sequence[PackageDefinition], system: systems.HostSystem, cache: Path) -> None:
    """Put the database below `work`; `cache` is the folder that keeps it."""
    names = {package.name for package in installed}
    image = [
        PackageDefinition(
            name=name, version=version, summary=f"{name} of {system.title}", provides=system.provides.get(name, [])
        )
        for name, version in system.packages.items()
        if name not in names
    ]
    target = work / FOLDER / DATABASE
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(_built_database([*image, *installed], system, cache), target)


def _built_database(packages: Sequence[PackageDefinition], system: systems.HostSystem, cache: Path) -> Path:
    content = "\0".join([*(package.model_dump_json() for package in packages), system.signer])
    sources = [*rpm_package.FOLDER.rglob("*.py"), *(rpm_package.FOLDER / "files").iterdir(), Path(__file__)]
    digest = hashlib.sha256(b"\0".join([content.encode(), *(path.read_bytes() for path in sorted(sources))]))
    final = cache / f"rpmdb-{digest.hexdigest()[:16]}.sqlite"
    if final.exists():
        return final
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="rpmdb-", dir=cache) as private:
        folder = Path(private)
        (folder / "pool").mkdir()
        rpm_package.write_all(packages, folder, folder, folder / "pool", system.signer)
        files = [str(path) for path in sorted((folder / "pool").iterdir())]
        place = ["--root", str(folder / "root"), "--dbpath", f"/{FOLDER}"]
        enter = ["--install", "--justdb", "--nodeps", "--noscripts", "--notriggers", "--force-debian"]
        (folder / "root").mkdir()
        run(["rpm", *place, *enter, *files], environment={"HOME": private})
        (folder / "root" / FOLDER / DATABASE).rename(final)
    return final
