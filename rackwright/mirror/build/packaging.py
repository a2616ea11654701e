"""Makes .deb and .rpm packages from the files of a build: equal files, times and order for equal inputs. The packager itself finds library dependencies."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from debian.deb822 import Deb822
from debian.debfile import DebFile

from rackwright.base.errors import OutsideError
from rackwright.mirror.build.host import BuildHost
from rackwright.mirror.build.recipes import BuiltPackage
from rackwright.mirror.build.running import RunningBuild

MAINTAINER = "rackwright mirror build <root@localhost>"
ELF = b"\x7fELF"
LINES = 3
"""Of what a tool says before it fails, printed: the first is the cause."""
SPEC = """\
%global debug_package %{{nil}}
%global _build_id_links none
%global _buildhost localhost
%global __requires_exclude {excluded}
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1
Name: {name}
Version: {version}
Release: {release}
Summary: {summary}
License: see the source
{requires}
%description
{summary}
Built by `rackwright mirror build` from {archive} (SHA-256 {sha256}).
%install
cp -a {stage}/. %{{buildroot}}
%files
{files}
"""


def make_packages(running: RunningBuild, host: BuildHost, target: Path) -> list[Path]:
    """The packages of a finished build, in `target`. OutsideError where the build did not make what its recipe says."""
    recipe = running.build.recipe
    target.mkdir(parents=True, exist_ok=True)
    if recipe.collect is not None:
        return _collected(running, host, target)
    write = _rpm if host.packager == "rpm" else _deb
    return [write(running, name, package, host, target) for name, package in recipe.packages.items()]


def deb_control(path: Path) -> Deb822:
    """The control file of a Debian package."""
    with path.open("rb") as stream:
        return DebFile(fileobj=stream).debcontrol()


def package_identity(path: Path, host: BuildHost) -> tuple[str, str]:
    """Name and version of a package file, as its own metadata has them."""
    if host.packager == "dpkg":
        control = deb_control(path)
        return control["Package"], control["Version"]
    query = [
        "rpm",
        "--query",
        "--package",
        "--nosignature",
        "--queryformat",
        "%{NAME} %{VERSION}-%{RELEASE}",
        str(path),
    ]
    name, _, version = _output(query, Path("/"), {}).strip().partition(" ")
    return name, version


def _collected(running: RunningBuild, host: BuildHost, target: Path) -> list[Path]:
    """The packages that the project's own packaging made, copied to `target`."""
    collect = running.build.recipe.collect
    assert collect is not None
    packages = {}
    for path in sorted(running.folder.glob(running.build.fill(collect.files))):
        name, version = package_identity(path, host)
        if (
            name in collect.packages
            and not path.name.endswith(".src.rpm")
            and version.startswith(f"{running.build.version}-")
        ):
            packages[name] = target / path.name
            shutil.copyfile(path, packages[name])
    missing = [name for name in collect.packages if name not in packages]
    if missing:
        raise OutsideError(
            f"{running.build.name}: its packaging made no {', '.join(missing)} {running.build.version}; {running.log} says why"
        )
    return [packages[name] for name in collect.packages]


def _stage(running: RunningBuild, name: str, package: BuiltPackage) -> tuple[Path, list[Path]]:
    """The stage folder with the files of a package, stripped of debug information and all with the same time; and its programs."""
    stage = running.root / f"stage-{name}"
    programs = []
    for path, place in package.files.items():
        source, target = running.folder / running.build.fill(place), stage / running.build.fill(path).lstrip("/")
        if not source.is_file():
            raise OutsideError(f"{running.build.name}: the build made no {place}; {running.log} says why")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        target.chmod(0o755 if os.access(source, os.X_OK) else 0o644)
        if source.open("rb").read(len(ELF)) == ELF:
            # The build id follows from the folder of the build, by way of the debug information that goes.
            _output(["strip", "--strip-unneeded", "--remove-section=.note.gnu.build-id", str(target)], stage, {})
            programs.append(target)
    for entry in (stage, *stage.rglob("*")):
        if entry.is_dir():
            entry.chmod(0o755)
        os.utime(entry, (running.time, running.time))
    return stage, programs


def _deb(running: RunningBuild, name: str, package: BuiltPackage, host: BuildHost, target: Path) -> Path:
    build = running.build
    stage, programs = _stage(running, name, package)
    version = f"{build.version}-{build.fill(build.recipe.release)}"
    depends = [*_libraries(running, programs), *(build.fill(entry) for entry in package.depends.get("dpkg", ()))]
    size = sum(path.stat().st_size for path in stage.rglob("*") if path.is_file())
    fields = {
        "Package": name,
        "Version": version,
        "Architecture": str(host.architecture),
        "Maintainer": MAINTAINER,
        "Installed-Size": str(-(-size // 1024)),
        "Depends": ", ".join(dict.fromkeys(depends)),
        "Section": "utils",
        "Priority": "optional",
        "Description": f"{package.summary}\n Built by `rackwright mirror build` from {build.archive} (SHA-256 {build.sha256}).",
    }
    control = stage / "DEBIAN" / "control"
    control.parent.mkdir(mode=0o755)
    control.write_text("".join(f"{field}: {value}\n" for field, value in fields.items() if value))
    path = target / f"{name}_{version}_{host.architecture}.deb"
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(stage), str(path)]
    _output(command, stage, running.environment())
    return path


def _libraries(running: RunningBuild, programs: Sequence[Path]) -> Iterator[str]:
    """The packages of the shared libraries that programs are linked with, without those of the driver."""
    if not programs:
        return
    folder = running.root / "shlibs"
    (folder / "debian").mkdir(parents=True, exist_ok=True)
    (folder / "debian" / "control").write_text("Source: rackwright\n\nPackage: rackwright\nArchitecture: any\n")
    private = _driver_libraries(running, folder / "private")
    words = ["dpkg-shlibdeps", "-O", "--ignore-missing-info", "--warnings=0", f"-l{private}"]
    words += [f"-e{program}" for program in programs]
    depends = re.search(r"^shlibs:Depends=(.*)$", _output(words, folder, running.environment()), re.MULTILINE)
    yield from depends[1].split(", ") if depends else ()


def _driver_libraries(running: RunningBuild, folder: Path) -> Path:
    """A folder with stubs for the libraries of the driver; they are found there first, and belong to no package."""
    folder.mkdir(exist_ok=True)
    for name, place in running.build.recipe.driver_libraries.items():
        stub = Path(running.build.fill(place))
        if not stub.is_file():
            raise OutsideError(
                f"{running.build.name}: {stub} is missing, which stands in for {name}; is the toolkit whole?"
            )
        shutil.copyfile(stub, folder / name)
    return folder


def _rpm(running: RunningBuild, name: str, package: BuiltPackage, host: BuildHost, target: Path) -> Path:
    build, top = running.build, running.root / f"rpm-{name}"
    stage, _ = _stage(running, name, package)
    files = [running.build.fill(path) for path in package.files]
    requires = "\n".join(f"Requires: {build.fill(entry)}" for entry in package.depends.get("rpm", ()))
    excluded = "|".join(re.escape(library).replace("\\", "\\\\") for library in build.recipe.driver_libraries)
    spec = SPEC.format(
        excluded=f"^({excluded})" if excluded else "%{nil}",
        name=name, version=build.version, release=build.fill(build.recipe.release), summary=package.summary,
        requires=requires, archive=build.archive, sha256=build.sha256, stage=shlex.quote(str(stage)).replace("%", "%%"),
        files="\n".join(f"%attr(-,root,root) {path}" for path in files),
    )  # fmt: skip
    top.mkdir(exist_ok=True)
    (top / "package.spec").write_text(spec)
    places = {"_topdir": str(top), "_rpmdir": str(top / "made")}
    settings = [word for key, value in places.items() for word in ("--define", f"{key} {value}")]
    _output(
        ["rpmbuild", "-bb", "--quiet", *settings, "--target", host.machine, "package.spec"], top, running.environment()
    )
    package_file = next((top / "made").rglob("*.rpm"))
    path = target / package_file.name
    package_file.replace(path)
    return path


def _output(command: Sequence[str], folder: Path, environment: dict[str, str]) -> str:
    """What a tool of the packager prints; OutsideError with its words when it fails."""
    done = subprocess.run(
        command, cwd=folder, env=environment or None, capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode:
        reason = " ".join((done.stderr or done.stdout).strip().splitlines()[:LINES])
        raise OutsideError(f"`{command[0]}` failed with {done.returncode}: {reason}")
    return done.stdout
