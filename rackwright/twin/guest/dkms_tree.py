"""The tree of dkms(8) on a node: added, built and installed modules, and the files that a build reads and leaves."""

from __future__ import annotations

import os

from . import bootloader, modulefile

TREE = "/var/lib/dkms"
SOURCES = "/usr/src"
MODULES = "/lib/modules"


def status(name: str = "", version: str = "") -> list[str]:
    """One line per module, version and kernel, as ``dkms status`` has them."""
    lines = []
    for module in listed(TREE):
        for release in listed(f"{TREE}/{module}"):
            base = f"{TREE}/{module}/{release}"
            if not os.path.islink(f"{base}/source") or (name and name != module) or (version and version != release):
                continue
            kernels = [entry for entry in listed(base) if os.path.isdir(f"{base}/{entry}/{arch()}/module")]
            for kernel in kernels:
                state = "installed" if installed(module, release, kernel) else "built"
                lines.append(f"{module}/{release}, {kernel}, {arch()}: {state}")
            if not kernels:
                lines.append(f"{module}/{release}: added")
    return lines


def headers(kernel: str) -> str:
    """The release that the headers of `kernel` are for, empty without headers."""
    text = read(f"{MODULES}/{kernel}/build/include/generated/utsrelease.h").decode()
    return text.partition('"')[2].partition('"')[0]


def compiled(source: str, module: str, release: str) -> bytes:
    """The object file of `module` for the kernel `release`, from what its source says."""
    lines = read(f"{source}/{module}.modinfo").decode().splitlines()
    facts = [(key, value) for key, _, value in (line.partition("=") for line in lines)]
    depends = [value for key, value in facts if key == "depends"]
    return modulefile.build(module, [fact for fact in facts if fact[0] != "depends"], release, depends)


def modules(source: str) -> list[str]:
    """Names of the modules that a source folder builds."""
    lines = read(f"{source}/dkms.conf").decode().splitlines()
    return [line.split('"')[1] for line in lines if line.startswith("BUILT_MODULE_NAME")]


def compiler_error(name: str, source: str) -> str:
    """Compiler error for a kernel that the source was not written for."""
    where = f"{source}/{modules(source)[0]}.c:1:10"
    return f"{where}: fatal error: the kernel's interface is not the one that {name} was written for\ncompilation terminated."


def installed(name: str, version: str, kernel: str) -> bool:
    """True when every module of this build is where modprobe finds it."""
    folder = f"{TREE}/{name}/{version}/{kernel}/{arch()}/module"
    files = listed(folder)
    return bool(files) and all(read(f"{built(kernel)}/{file}") == read(f"{folder}/{file}") for file in files)


def built(kernel: str) -> str:
    """Where modprobe finds what was built for `kernel`."""
    return f"{MODULES}/{kernel}/{bootloader.built_modules('/')}"


def arch() -> str:
    """The architecture in folder names."""
    return os.uname().machine


def listed(folder: str) -> list[str]:
    """Names in a folder, sorted; none when there is no such folder."""
    return sorted(os.listdir(folder)) if os.path.isdir(folder) else []


def read(path: str) -> bytes:
    """The bytes of a file, empty when it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def write(path: str, content: bytes | str) -> None:
    """Write a file and the folders above it."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)
