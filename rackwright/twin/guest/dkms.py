"""dkms of a twin node: builds, signs, installs and lists kernel modules on the tree of dkms(8).

A build writes
the object file itself instead of running make; everything around it is what the real one leaves behind.
Messages and statuses: usr/sbin/dkms of Debian's dkms 3.0.10-8+deb12u1 (``die``, ``report_build_problem``, ``autoinstall``), and of dkms 3.2.2
of EPEL 9, which ends with 21 without headers where 3.0 ends with 1.
"""

from __future__ import annotations

import os
import sys

from . import bootloader, grub, signing
from . import dkms_tree as tree

BROKEN = "/run/rackwright-twin/dkms-fails"
"""There when the compiler refuses every module on this node (a fault of the twin)."""
NO_HEADERS = {"3.0.10": 1, "3.2.2": 21}
BAD_BUILD, NOT_ALL_INSTALLED = 10, 11
USAGE = "Usage: dkms [action] [options]\n  [action]  = { add | remove | build | install | uninstall | autoinstall | status }\n"


class DkmsFailure(Exception):  # noqa: N818 - named for what dkms does
    """The command ends with this code and message."""

    def __init__(self, code: int, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.code = code


def main() -> int:
    """Entry point."""
    words = sys.argv[1:]
    if os.path.basename(sys.argv[0]) == "common.postinst":
        words = ["postinst", *words]
    try:
        return _run(words)
    except DkmsFailure as refused:
        return _refuse(refused)


def _refuse(refused: DkmsFailure) -> int:
    print(f"Error! {refused}", file=sys.stderr)
    return refused.code


def dkms_release() -> str:
    """Release of dkms on this system: that of EPEL 9, or of Debian."""
    return "3.2.2" if bootloader.has_entries("/") else "3.0.10"


def _run(words: list[str]) -> int:
    verb, names, options = _options(words)
    if verb == "status":
        for line in tree.status(options.get("m", ""), options.get("v", "")):
            print(line)
        return 0
    kernel = options.get("k") or running()
    if verb == "autoinstall":
        return _autoinstall(kernel)
    if verb == "--version" or "version" in options:
        print(f"dkms-{dkms_release()}")
        return 0
    name, version = [*names, "", ""][:2] if verb == "postinst" else (options.get("m", ""), options.get("v", ""))
    if verb not in _VERBS:
        raise DkmsFailure(1, f"Unknown action specified: {verb}", USAGE)
    if not name or not version:
        raise DkmsFailure(1, "Arguments <module> and <module-version> are not specified.", USAGE)
    _VERBS[verb](name, version, "" if "all" in options else kernel)
    return 0


def running() -> str:
    """The release of the kernel that runs."""
    return os.uname().release


def list_modules(kernel: str) -> None:
    """Have modprobe find what was put in place or taken away."""
    import subprocess  # not for `dkms status`, which runs in every play

    subprocess.run(["depmod", kernel], check=False)


def _options(words: list[str]) -> tuple[str, list[str], dict[str, str]]:
    """Verb, plain words and options; ``m/v`` stands for module and version, as the real one takes it."""
    verb, names, options, rest = (words[:1] or [""])[0], [], {}, iter(words[1:])
    long = {"--kernelver": "k", "--all": "all", "--force": "force", "--quiet": "q", "--module": "m"}
    for word in rest:
        key = long.get(word.partition("=")[0], word.lstrip("-") if word.startswith("-") else "")
        if not key:
            names.append(word)
        elif key in ("k", "m", "v", "a", "j"):
            options[key] = word.partition("=")[2] or next(rest, "")
        else:
            options[key] = "yes"
    if verb != "postinst" and (names or "/" in options.get("m", "")):
        options["m"], _, version = (options.get("m") or names[0]).partition("/")
        options["v"] = version or options.get("v", "")
    return verb, names, options


def _add(name: str, version: str, kernel: str) -> None:
    del kernel
    if not os.path.exists(f"{tree.SOURCES}/{name}-{version}/dkms.conf"):
        raise DkmsFailure(
            2, "Could not find module source directory.", f"Directory: {tree.SOURCES}/{name}-{version} does not exist."
        )
    if os.path.islink(f"{tree.TREE}/{name}/{version}/source"):
        raise DkmsFailure(
            3, f"DKMS tree already contains: {name}-{version}", "You cannot add the same module/version combo twice."
        )
    os.makedirs(f"{tree.TREE}/{name}/{version}", exist_ok=True)
    os.symlink(f"{tree.SOURCES}/{name}-{version}", f"{tree.TREE}/{name}/{version}/source")


def _build(name: str, version: str, kernel: str) -> None:
    import shutil

    base, source = f"{tree.TREE}/{name}/{version}", f"{tree.SOURCES}/{name}-{version}"
    if not os.path.islink(f"{base}/source"):
        _add(name, version, kernel)
    release = tree.headers(kernel)
    if not release:
        raise DkmsFailure(
            NO_HEADERS[dkms_release()],
            f"Your kernel headers for kernel {kernel} cannot be found at /lib/modules/{kernel}/build or "
            f"/lib/modules/{kernel}/source.",
            f"Please install the linux-headers-{kernel} package or use the --kernelsourcedir option to tell DKMS where "
            "it's located.",
        )
    built = tree.listed(f"{base}/{kernel}/{tree.arch()}/module")
    if all(
        f"{module}.ko" in built for module in tree.modules(source)
    ):  # is_module_built of dkms: a killed build lacks some
        return
    os.makedirs(f"{base}/build", exist_ok=True)
    log = f"DKMS make.log for {name}-{version} for kernel {kernel} ({tree.arch()})\n"
    if os.path.exists(BROKEN) or not shutil.which("cc"):
        why = "make[1]: cc: No such file or directory" if not shutil.which("cc") else tree.compiler_error(name, source)
        tree.write(f"{base}/build/make.log", f"{log}{why}\nmake: *** [Makefile:82: modules] Error 2\n")
        message = f"Bad return status for module build on kernel: {kernel} ({tree.arch()})"
        raise DkmsFailure(BAD_BUILD, message, f"Consult {base}/build/make.log for more information.")
    key = signing.own_key()
    for module in tree.modules(source):
        content = signing.signed(tree.compiled(source, module, release), key)
        tree.write(f"{base}/{kernel}/{tree.arch()}/module/{module}.ko", content)
    shutil.rmtree(f"{base}/build")
    tree.write(f"{base}/{kernel}/{tree.arch()}/log/make.log", log)


def _install(name: str, version: str, kernel: str) -> None:
    _build(name, version, kernel)
    folder = f"{tree.TREE}/{name}/{version}/{kernel}/{tree.arch()}/module"
    for module in tree.listed(folder):
        tree.write(f"{tree.built(kernel)}/{module}", tree.read(f"{folder}/{module}"))
    list_modules(kernel)


def _remove(name: str, version: str, kernel: str) -> None:
    import shutil

    base = f"{tree.TREE}/{name}/{version}"
    if not os.path.islink(f"{base}/source"):
        raise DkmsFailure(3, f"The module/version combo: {name}-{version} is not located in the DKMS tree.")
    for kernel_name in [
        kernel_name
        for kernel_name in tree.listed(base)
        if kernel_name not in ("source", "build") and kernel in ("", kernel_name)
    ]:
        if tree.installed(name, version, kernel_name):
            for module in tree.listed(f"{base}/{kernel_name}/{tree.arch()}/module"):
                os.unlink(f"{tree.built(kernel_name)}/{module}")
            list_modules(kernel_name)
        shutil.rmtree(f"{base}/{kernel_name}")
    if not kernel:
        shutil.rmtree(base)
        if not tree.listed(f"{tree.TREE}/{name}"):
            os.rmdir(f"{tree.TREE}/{name}")


def _autoinstall(kernel: str) -> int:
    """Build the newest version that is added of each module, unless one is there for the kernel; one that fails does not keep the others back."""
    failed = False
    for module in tree.listed(tree.TREE):
        added = [
            version
            for version in tree.listed(f"{tree.TREE}/{module}")
            if os.path.islink(f"{tree.TREE}/{module}/{version}/source")
        ]
        if not added or any(tree.installed(module, version, kernel) for version in added):
            continue
        try:
            _install(module, max(added, key=grub.numbers), kernel)
        except DkmsFailure as refused:
            _refuse(refused)
            failed = True
    if failed:
        message = "One or more modules failed to install during autoinstall."
        raise DkmsFailure(NOT_ALL_INSTALLED, message, "Refer to previous errors for more information.")
    return 0


def _postinst(name: str, version: str, kernel: str) -> None:
    """Run what common.postinst runs: build for the running kernel and the newest one, skip those without headers."""
    print(f"Loading new {name}-{version} DKMS files...", flush=True)
    if not os.path.islink(f"{tree.TREE}/{name}/{version}/source"):
        _add(name, version, kernel)
    newest = max(tree.listed(tree.MODULES), key=grub.numbers, default=kernel)
    print(f"Building for {' '.join(dict.fromkeys([kernel, newest]))}", flush=True)
    for release in dict.fromkeys([kernel, newest]):
        if not tree.headers(release):
            print(
                f"Module build for kernel {release} was skipped since the kernel headers for this kernel do not seem to be installed."
            )
            continue
        print(f"Building initial module for {release}", flush=True)
        _install(name, version, release)
        print("Done.", flush=True)


_VERBS = {
    "add": _add, "build": _build, "install": _install, "remove": _remove, "uninstall": _remove, "postinst": _postinst,
}  # fmt: skip
