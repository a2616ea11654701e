"""mokutil of a twin node: what the firmware knows of Secure Boot and of the owner's keys.

A key that is imported waits until somebody confirms it at the console (`confirm`), as MokManager asks.

Source: lcp/mokutil, mokutil(1).
"""

from __future__ import annotations

import os
import sys

from . import signing

SECURE_BOOT = "/run/rackwright-twin/secure-boot"
"""``enabled`` or ``disabled``, from the machine's state."""
NVRAM = "/var/lib/rackwright-twin/nvram"
ENROLLED, WAITING = f"{NVRAM}/MokList", f"{NVRAM}/MokNew"
"""One key per line: fingerprint in hexadecimal digits, a blank, the common name."""


def main() -> int:
    """Entry point."""
    words = sys.argv[1:] or ["--help"]
    verb, files = words[0], [word for word in words[1:] if not word.startswith("-")]
    if verb == "--sb-state":
        print(f"SecureBoot {_lines(SECURE_BOOT)[0]}")
        return 0
    if verb in ("--list-enrolled", "-l", "--list-new", "-N"):
        return _list(ENROLLED if verb in ("--list-enrolled", "-l") else WAITING)
    if verb in ("--import", "-i", "--test-key", "-t") and files:
        return _test(files[0]) if verb in ("--test-key", "-t") else _import(files)
    print("Usage:\n  mokutil OPTIONS [ARGS...]", file=sys.stderr)
    return 1


def confirm() -> None:
    """Confirm at the console after a reboot: every waiting key is enrolled."""
    os.makedirs(NVRAM, exist_ok=True)
    _write(ENROLLED, list(dict.fromkeys([*_lines(ENROLLED), *_lines(WAITING)])))
    _write(WAITING, [])


def _list(path: str) -> int:
    keys = _lines(path)
    if not keys:
        print("MokListRT is empty" if path == ENROLLED else "MokNew is empty")
    for number, key in enumerate(keys, 1):
        mark, _, name = key.partition(" ")
        pairs = ":".join(mark[at : at + 2] for at in range(0, len(mark), 2))
        print(f"[key {number}]\nSHA1 Fingerprint: {pairs}\nCertificate:\n    Data:\n        Subject: CN={name}")
    return 0


def _test(path: str) -> int:
    key = _key(path)
    if key in _lines(ENROLLED):
        print(f"{path} is already enrolled")
        return 1
    print(f"{path} is {'already in the enrollment request' if key in _lines(WAITING) else 'not enrolled'}")
    return 0


def _import(paths: list[str]) -> int:
    for path in paths:
        if not os.path.exists(path):
            print(f"Failed to get file status, {path}", file=sys.stderr)
            return 255
        key = _key(path)
        if key in _lines(ENROLLED):
            print(f"SKIP: {path} is already enrolled")
        elif key not in _lines(WAITING):
            os.makedirs(NVRAM, exist_ok=True)
            _write(WAITING, [*_lines(WAITING), key])
    return 0


def _key(path: str) -> str:
    certificate = signing.der(path)
    return f"{signing.fingerprint(certificate).hex()} {signing.subject(certificate)}"


def _lines(path: str) -> list[str]:
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def _write(path: str, lines: list[str]) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
