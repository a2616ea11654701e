"""The packages of the twin's mirror, as data; nothing is built here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, Literal

from rackwright.base import yaml_text
from rackwright.base.errors import Problem, ProblemsError
from rackwright.model.base import Record
from rackwright.model.site import Software
from rackwright.twin.mirror.modules import Dkms, KernelModule

FOLDER = Path(__file__).parent
DIGITS = re.compile(r"\d+(\.\d+){0,3}")
PARTS = {"driver": 2, "fabric_manager": 2, "dcgm": 3, "cuda": 2, "nccl": 3, "container_toolkit": 3}
"""How many numbers a version must have at least, by field of the bill."""


class PackageFile(Record):
    """One file of a package: its content is a text, a template of ``files/``, a compiled program or a link."""

    text: str | None = None
    template: str | None = None
    binary: str | None = None
    """``<kind>/<program>`` of the compiled set (``driver/nvidia-smi``); executable unless `mode` says otherwise."""
    link: str | None = None
    program: str | None = None
    """``guest/PROGRAM.py`` of the twin, with the Python of the node; executable. ``PROGRAM:function`` where it has several."""
    mode: str | None = None


class ServiceDefinition(Record):
    """The systemd unit of a package and the system user it wants."""

    unit: str
    user: str = ""


class PackageDefinition(Record):
    """One binary package. Versions and paths may hold ``@name@`` until `packages` has filled them in."""

    name: str = ""
    version: str = ""
    upstream: str = ""
    """Version without epoch and revision; names the compiled set."""
    summary: str
    section: str = "misc"
    architecture: Literal["amd64", "all"] = "amd64"
    depends: list[str] = []
    recommends: list[str] = []
    conflicts: list[str] = []
    provides: list[str] = []
    ldconfig: bool = False
    service: ServiceDefinition | None = None
    files: dict[str, PackageFile] = {}
    conffiles: list[str] = []
    scripts: dict[Literal["postinst", "prerm", "postrm"], str] = {}
    """Maintainer scripts by name: templates of ``files/``."""
    modules: dict[str, KernelModule] = {}
    """Modules of a kernel package; its variables name the `release`."""
    dkms: Dkms | None = None
    """Modules that are built on the node; postinst and prerm are those of DKMS."""
    preinstalled: bool = False
    """True when a freshly installed node has it; of a kernel those releases that `TwinMachine.kernel` says."""
    run_file: str = ""
    """Not empty for a file of the vendor that no repository carries: the template of ``files/`` that installs its payload, or
    ``archive`` where the file is nothing but its payload (``.tar.gz``, ``.zip``)."""
    variables: dict[str, str] = {}


class Family(Record):
    """Packages that share one version."""

    family: str
    source: str
    date: object
    package_version: str
    releases: list[dict[str, str]] = []
    """Variables of each release, oldest first, where the bill does not decide them; each has a `version`."""
    bill: str = ""
    """Field of the bill that names the version; the family is left out where it names none."""
    special: dict[str, dict[str, str]] = {}
    """Further variables of releases, by version of the bill (a pattern); ``default`` is for all others."""
    packages: dict[str, PackageDefinition]


def packages(software: Software) -> list[PackageDefinition]:
    """Every package of the mirror for `software`, in family, version and name order.

    Raises `ProblemsError` with one problem per invalid version of the bill.
    """
    _refuse_bad_versions(software)
    return [package for package in _everything(software) if not package.run_file]


def run_files(software: Software) -> list[PackageDefinition]:
    """The vendor files of the mirror that are no packages; each is served under its name below ``/files``."""
    return [package for package in _everything(software) if package.run_file]


def _everything(software: Software) -> list[PackageDefinition]:
    return [
        package
        for family in _families()
        for variables in _releases(family, software)
        for package in _fill(family, variables)
    ]


def versions(software: Software) -> dict[str, list[str]]:
    """The versions on offer, oldest family release first, by package name."""
    offered: dict[str, list[str]] = {}
    for package in packages(software):
        offered.setdefault(package.name, []).append(package.version)
    return offered


def kernels(software: Software) -> dict[str, str]:
    """Releases of the kernels on offer, with the version of their package, oldest first."""
    return {package.variables["release"]: package.version for package in packages(software) if package.modules}


def kernel_releases() -> dict[str, str]:
    """As `kernels`, without a bill, on which they do not depend; cheap, for frequent callers."""
    families = (family for family in _families() if family.family == "kernel")
    return {release["release"]: release["version"] for family in families for release in family.releases}


def module_version(family: str, release: str) -> str:
    """What the kernel shows of a driver whose packages name `release`; the release itself where they have one number."""
    special = next(each.special for each in _families() if each.family == family)
    return _of_a_release(release, special)["version"]


def drivers(software: Software) -> tuple[str, ...]:
    """Driver releases whose programs the mirror carries, oldest first: the bill's and its neighbours; none for a bill without."""
    declared = {version for version in (software.driver, software.fabric_manager) if version}
    return tuple(sorted({*declared, *_data()["neighbours"]["versions"]}, key=_numbers)) if declared else ()


def _fill(family: Family, variables: Mapping[str, str]) -> Iterator[PackageDefinition]:
    full = substitute(family.package_version, variables)
    for name, package in family.packages.items():
        values = {**variables, "full": full}
        if package.service:
            values |= {"unit": package.service.unit, "user": package.service.user}
        filled = PackageDefinition.model_validate(_filled(package.model_dump(exclude_defaults=True), values))
        fields = {"name": substitute(name, values), "version": full, "upstream": variables["version"]}
        yield filled.model_copy(update={**fields, "variables": values})


def _filled(value: Any, variables: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return substitute(value, variables)
    if isinstance(value, list):
        return [_filled(item, variables) for item in value]
    if isinstance(value, dict):
        return {substitute(str(key), variables): _filled(item, variables) for key, item in value.items()}
    return value


def substitute(text: str, variables: Mapping[str, str]) -> str:
    """`text` with every ``@name@`` replaced; other at-signs stay."""
    return re.sub(r"@([a-z_]+)@", lambda match: variables.get(match[1], match[0]), text)


def _releases(of: Family, software: Software) -> list[dict[str, str]]:
    """The variables of each release of a family."""
    if of.releases:
        return of.releases
    if of.bill:
        bills = [software, *software.pools.values()]
        named = {str(getattr(bill, of.bill)): None for bill in bills if getattr(bill, of.bill)}
        return [_of_a_release(version, of.special) for version in named]
    return _of_the_bill(of.family, software)


def _of_a_release(version: str, further: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """`release` is what the bill says, `digits` the same as AMD writes it into package versions (30.20.1: 302001)."""
    first, *rest = version.split(".")
    common = {"version": version, "release": version, "digits": first + "".join(part.zfill(2) for part in rest)}
    matching = [variables for pattern, variables in further.items() if fnmatchcase(version, pattern)]
    return {**common, **further.get("default", {}), **(matching[0] if matching else {})}


def _of_the_bill(family: str, software: Software) -> list[dict[str, str]]:
    """No release where the bill names no version: nothing asks for it."""
    if family in {"driver", "fabric_manager"}:
        return [{"version": version, "suffix": _suffix(version)} for version in drivers(software)]
    if not getattr(software, family) or (family == "nccl" and not software.cuda):
        return []
    if family not in {"cuda", "nccl"}:
        return [{"version": str(getattr(software, family))}]
    major, minor, *_ = cuda = software.cuda.split(".")
    series = f"{major}.{minor}"
    common = {"series": series, "major": major, "dash": f"{major}-{minor}", "priority": f"{major}{minor}"}
    if family == "cuda":
        release = software.cuda if len(cuda) > 2 else _data()["cuda"]["releases"].get(series, f"{series}.0")
        return [{**common, "version": release, "release": release}]
    parts = software.nccl.split(".")
    return [
        {**common, "version": software.nccl, "nccl_major": parts[0], "nccl_minor": parts[1], "nccl_patch": parts[2]}
    ]


def _suffix(driver: str) -> str:
    branch = _numbers(driver)[0]
    return "" if branch >= _data()["plain_names"]["from_branch"] else f"-{branch}"


def _refuse_bad_versions(software: Software) -> None:
    problems = [
        Problem(
            place="software",
            path=f"software.{field}",
            message="not a version the mirror can build",
            expected=f"at least {least} numbers with dots",
            found=getattr(software, field),
            next_step="write the version as the vendor does, without epoch or package revision",
            code="twin.bad_version",
        )
        for field, least in PARTS.items()
        if getattr(software, field)
        and (not DIGITS.fullmatch(getattr(software, field)) or len(getattr(software, field).split(".")) < least)
    ]
    if problems:
        raise ProblemsError(problems)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


@cache
def _families() -> tuple[Family, ...]:
    return tuple(
        Family.model_validate(yaml_text.load(path.read_text())) for path in sorted((FOLDER / "packages").glob("*.yaml"))
    )


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = yaml_text.load((FOLDER / "versions.yaml").read_text())
    return data
