"""Compiles the twin's NVML library and the programs of the driver, DCGM and NCCL packages."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from rackwright.base import yaml_text
from rackwright.base.errors import OutsideError

SOURCES = Path(__file__).with_name("src")
FLAGS = ("-O1", "-fPIC", "-Wall", "-Wextra", "-Werror")
SHARED = ("-shared", "-Wl,-Bsymbolic")
COMPILE_SECONDS = 60.0


@dataclass(frozen=True)
class Program:
    """One file to build: what it is made of, and which release it belongs to."""

    sources: tuple[str, ...]
    flags: tuple[str, ...] = ()


DRIVER: dict[str, Program] = {
    "libnvidia-ml.so": Program(
        ("twin_state", "nvml_system", "nvml_device", "nvml_fabric", "nvml_mig", "nvml_health", "version"),
        (*SHARED, "-Wl,-soname,libnvidia-ml.so.1"),
    ),
    "libcuda.so": Program(("cuda", "nvml_client", "version"), (*SHARED, "-Wl,-soname,libcuda.so.1")),
    "nvidia-smi": Program(("smi", "smi_mig", "smi_fields", "smi_lookup", "nvml_client", "twin_state", "version")),
    "nvidia-persistenced": Program(("persistenced", "daemon", "nvml_client", "twin_state", "version")),
    "nv-fabricmanager": Program(("fabricmanager", "same_driver", "daemon", "nvml_client", "twin_state", "version")),
    "nvidia-imex": Program(("imex", "same_driver", "daemon", "nvml_client", "twin_state", "version")),
}
DCGM: dict[str, Program] = {
    "nv-hostengine": Program(("hostengine", "daemon", "twin_state")),
    "dcgmi": Program(("dcgmi", "nvml_client")),
}
NCCL: dict[str, Program] = {"libnccl.so": Program(("nccl",), (*SHARED, "-Wl,-soname,libnccl.so.2"))}
PYXIS: dict[str, Program] = {"spank_pyxis.so": Program(("spank_pyxis",), ("-shared",))}


@dataclass(frozen=True)
class Releases:
    """The releases to build; each ends in the folder ``<kind>-<version>`` (``driver-580.173.02``)."""

    drivers: tuple[str, ...]
    dcgm: str | None = None
    nccl: str | None = None
    pyxis: str | None = None
    """Its plugin is built for the Slurm of this machine, which hosts of the twin run."""


def cuda_of(driver: str) -> str:
    """The CUDA version that a driver release supports (``13.0``); an unlisted branch answers as the nearest older one."""
    branches = _cuda_of_branch()
    branch = int(driver.split(".", maxsplit=1)[0])
    return branches[max((release for release in branches if release <= branch), default=min(branches))]


def build(cache_folder: Path, releases: Releases) -> Path:
    """The folder with the compiled files of `releases`, from the cache when nothing changed.

    Raises `OutsideError` when there is no C compiler or it refuses the sources.
    """
    final = cache_folder / f"nvml-{_digest(releases)}"
    if final.is_dir():
        return final
    cache_folder.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix="nvml-", dir=cache_folder))
    try:
        _build_all(work, releases)
        work.chmod(0o755)
        if not final.is_dir():  # another process may have finished first
            work.rename(final)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return final


def _build_all(work: Path, releases: Releases) -> None:
    for driver in releases.drivers:
        major, minor = cuda_of(driver).split(".")
        code = int(major) * 1000 + int(minor) * 10
        defines = {"DRIVER_VERSION": f'"{driver}"', "CUDA_VERSION": str(code)}
        _build_set(work, work / f"driver-{driver}", DRIVER, defines)
    if releases.dcgm:
        _build_set(work, work / f"dcgm-{releases.dcgm}", DCGM, {"DCGM_VERSION": f'"{releases.dcgm}"'})
    if releases.nccl:
        parts = [int(part) for part in releases.nccl.split(".")[:3]]
        defines = {"NCCL_VERSION_CODE": str(parts[0] * 10000 + parts[1] * 100 + parts[2])}
        _build_set(work, work / f"nccl-{releases.nccl}", NCCL, defines)
    if releases.pyxis:
        _build_set(work, work / f"pyxis-{releases.pyxis}", PYXIS, {"SLURM_VERSION_NUMBER": _slurm_number()})
    shutil.rmtree(work / "objects", ignore_errors=True)


def _slurm_number() -> str:
    """The release of this machine's Slurm as its plugins name it (slurm/slurm_version.h): 0x160508 for 22.05.8."""
    try:
        printed = subprocess.run(["slurmd", "-V"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise OutsideError(f"`slurmd -V` does not say which Slurm this machine has ({error}); install slurmd") from None
    numbers = [int(part) for part in printed.split()[-1].split(".")[:3]]
    return f"0x{numbers[0]:02x}{numbers[1]:02x}{numbers[2]:02x}"


def _build_set(work: Path, folder: Path, programs: Mapping[str, Program], defines: Mapping[str, str]) -> None:
    folder.mkdir()
    for name, program in programs.items():
        sources = [SOURCES / f"{source}.c" for source in program.sources]
        defined = [f"-D{key}={value}" for key, value in defines.items()]
        objects = [str(_object(work / "objects", source, defined)) for source in sources]
        _cc([*program.flags, *objects, "-o", str(folder / name), "-ldl"])


def _object(folder: Path, source: Path, defines: Iterable[str]) -> Path:
    # Only the sources that name a release are compiled again for each one.
    dependent = [define for define in defines if define[2:].split("=", maxsplit=1)[0] in source.read_text()]
    name = hashlib.sha256("\n".join([source.name, *dependent]).encode()).hexdigest()[:16]
    target = folder / f"{name}.o"
    if not target.exists():
        folder.mkdir(exist_ok=True)
        _cc(["-c", *dependent, str(source), "-o", str(target)])
    return target


def _cc(arguments: list[str]) -> None:
    compiler = os.environ.get("CC", "cc")
    try:
        result = subprocess.run(
            [compiler, *FLAGS, *arguments], capture_output=True, text=True, timeout=COMPILE_SECONDS, check=False
        )
    except FileNotFoundError:
        raise OutsideError(f"the C compiler `{compiler}` is missing; install gcc and libc6-dev") from None
    except subprocess.TimeoutExpired:
        raise OutsideError(
            f"the C compiler ran longer than {COMPILE_SECONDS:.0f} s; is this machine overloaded?"
        ) from None
    if result.returncode:
        raise OutsideError(
            f"the C compiler refused the twin's NVML; is libc6-dev installed? It printed:\n{result.stderr.strip()}"
        )


def _digest(releases: Releases) -> str:
    parts = [repr(releases), repr(FLAGS), _cuda_text()]
    parts += [f"{path.name}\n{path.read_text()}" for path in sorted(SOURCES.iterdir())]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _cuda_text() -> str:
    return Path(__file__).with_name("releases.yaml").read_text()


@cache
def _cuda_of_branch() -> dict[int, str]:
    branches: dict[int, str] = yaml_text.load(_cuda_text())["cuda_of_branch"]
    return branches
