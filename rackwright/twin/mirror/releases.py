"""Which releases of a family of packages the mirror carries, and the variables of each: versions, series, endings of names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rackwright.base import yaml_text
from rackwright.model.site import Software
from rackwright.model.software import BASES

if TYPE_CHECKING:
    from rackwright.twin.mirror.families import Family


def drivers(software: Software) -> tuple[str, ...]:
    """Driver releases whose programs the mirror carries, oldest first: the bill's and its neighbours; none for a bill without."""
    declared = {version for version in (software.driver, software.fabric_manager) if version}
    return tuple(sorted({*declared, *_data()["neighbours"]["versions"]}, key=_numbers)) if declared else ()


def releases(of: Family, software: Software, system: str) -> list[dict[str, str]]:
    """The variables of each release of a family on `system`, oldest first; if it has none, those of the distribution it is built on."""
    if of.releases:
        of_system = [release for release in of.releases if release.get("system") == system]
        of_system = of_system or [release for release in of.releases if release.get("system") == BASES.get(system)]
        return of_system or [release for release in of.releases if "system" not in release]
    if of.bill:
        bills = [software, *software.pools.values()]
        named = {str(getattr(bill, of.bill)): None for bill in bills if getattr(bill, of.bill)}
        built_for = {"for_slurm": f"+slurm{software.slurm}" if software.slurm else ""}
        versions = [version for version in named if re.fullmatch(of.numbered or ".*", version)]
        return [of_a_release(version, of.special) | built_for for version in versions]
    return _of_the_bill(of.family, software)


def of_a_release(version: str, further: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """Variables of one release: `version`, and `digits`, the same as AMD writes it into package versions (30.20.1: 302001)."""
    first, *rest = version.split(".")
    common = {"version": version, "release": version, "digits": first + "".join(part.zfill(2) for part in rest)}
    matching = [variables for pattern, variables in further.items() if fnmatchcase(version, pattern)]
    return {**common, **further.get("default", {}), **(matching[0] if matching else {})}


def _of_the_bill(family: str, software: Software) -> list[dict[str, str]]:
    """Variables of the releases that the bill names; empty if it names no version of the family."""
    if family in {"driver", "fabric_manager"}:
        return [
            {"version": version, "major": version.partition(".")[0], **suffixes(version)}
            for version in drivers(software)
        ]
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


def suffixes(driver: str) -> dict[str, str]:
    """Variables with parts of package names: ``suffix`` ends those of fabric manager and NSCQ, ``branch`` those of the driver on Ubuntu;
    ``fabric_manager_rpm`` is the complete name on EL.
    """
    branch, ends = _numbers(driver)[0], _data()
    return {
        "suffix": "" if branch >= ends["plain_names"]["from_branch"] else f"-{branch}",
        "fabric_manager_rpm": ends["plain_names"]["rpm"][branch < ends["plain_names"]["from_branch"]],
        "branch": "" if branch >= ends["plain_driver_names"]["from_branch"] else f"-{branch}",
    }


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


@cache
def _data() -> dict[str, Any]:
    data: dict[str, Any] = yaml_text.load((Path(__file__).parent / "versions.yaml").read_text())
    return data
