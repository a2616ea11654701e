"""Families of packages for the mirror of a twin: what a file of ``packages/`` says, and that of a site's ``twin/packages``."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import ValidationError

from rackwright.base import content, yaml_text
from rackwright.base.content import Roots
from rackwright.base.errors import Problem, ProblemsError
from rackwright.model.base import Record
from rackwright.twin.mirror.modules import Dkms, KernelModule

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

FOLDER = Path(__file__).parent
OF_SITE = ("twin", "packages")
"""Folder of a site with families of its own."""


class PackageFile(Record):
    """One file of a package: its content is a text, a template of ``files/``, a compiled program or a link."""

    text: str | None = None
    template: str | None = None
    binary: str | None = None
    """``<kind>/<program>`` of the compiled set (``driver/nvidia-smi``); executable unless `mode` says otherwise."""
    link: str | None = None
    machine: str | None = None
    """A file of this machine, where the node's programs are this machine's as well."""
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
    """That of its family, unless it says its own."""
    upstream: str = ""
    """Version without epoch and revision; names the compiled set."""
    summary: str
    section: str = "misc"
    architecture: Literal["amd64", "all"] = "amd64"
    depends: list[str] = []
    """Relations are written as dpkg has them, ``name (= version)``, or as rpm has them in families of rpm packages alone."""
    recommends: list[str] = []
    conflicts: list[str] = []
    provides: list[str] = []
    obsoletes: list[str] = []
    """Of rpm packages alone."""
    streams: list[str] = []
    """Module streams that an rpm package belongs to (``nvidia-driver:580-open``)."""
    ldconfig: bool = False
    service: ServiceDefinition | None = None
    files: dict[str, PackageFile] = {}
    conffiles: list[str] = []
    scripts: dict[
        Literal["postinst", "prerm", "postrm", "pre", "post", "preun", "postun", "posttrans", "transfiletriggerin"], str
    ] = {}
    """Maintainer scripts by name, those of deb or those of rpm packages: templates of ``files/``."""
    modules: dict[str, KernelModule] = {}
    """Modules of a kernel package; its variables name the `release`."""
    dkms: Dkms | None = None
    """Modules that are built on the node; postinst and prerm are those of DKMS."""
    preinstalled: bool = False
    """True when a freshly installed node has it; of a kernel those releases that `TwinMachine.kernel` says."""
    run_file: str = ""
    """Not empty for a file of the vendor that no repository carries: the template of ``files/`` that installs its payload, or
    ``archive`` where the file is nothing but its payload (``.tar.gz``, ``.zip``), ``package`` for a ``.deb`` or ``.rpm`` (its `variables` say which
    ``package`` in which ``package_version``)."""
    variables: dict[str, str] = {}


class Family(Record):
    """Packages that share one version."""

    family: str
    systems: list[str] = []
    """Systems that have these packages; every one with one of `packagers` where none is named."""
    packagers: list[Literal["dpkg", "rpm"]] = ["dpkg"]
    suites: dict[str, str] = {}
    """``@suite@`` in versions: what the vendor's repository calls a system, where that is not the version of the system."""
    source: str
    date: object
    package_version: str
    releases: list[dict[str, str]] = []
    """Variables of each release, oldest first, where the bill does not decide them; each has a `version`. One that names its
    `system` is for that system, the others for systems that have none of their own. ``fresh: "no"``: no node comes with it."""
    bill: str = ""
    """Field of the bill that names the version; the family is left out where it names none."""
    numbered: str = ""
    """Regular expression of the versions that are its own, where vendors share the field."""
    special: dict[str, dict[str, str]] = {}
    """Further variables of releases, by version of the bill (a pattern); ``default`` is for all others."""
    packages: dict[str, PackageDefinition]


@cache
def shipped() -> tuple[Family, ...]:
    """The families of ``packages/``, in the order of their files."""
    return tuple(
        Family.model_validate(yaml_text.load(path.read_text())) for path in sorted((FOLDER / "packages").glob("*.yaml"))
    )


def of_site(roots: Roots) -> list[Family]:
    """Families that the site brings. ProblemsError for an invalid file."""
    return [_read_family(path) for path in content.files(roots[1:], *OF_SITE, pattern="*.yaml").values()]


def _read_family(path: Path) -> Family:
    try:
        return Family.model_validate(yaml_text.load(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        raise ProblemsError([_bad_family(path, wrong) for wrong in error.errors()]) from None


def _bad_family(path: Path, error: ErrorDetails) -> Problem:
    return Problem(
        place=str(path),
        path=".".join(map(str, error["loc"])),
        message="the mirror of the twin cannot read these packages",
        expected=error["msg"],
        found=str(error["input"])[:80],
        next_step="rackwright/twin/mirror/packages has families to begin with",
        code="twin.bad_family",
    )
