"""Signs modules on a node for Secure Boot, with the key that dkms(8) uses: that of framework.conf, else one it makes.

The key id is the fingerprint of the certificate, which is what `mokutil` lists and
`kernel_calls.c` looks up; so signing needs the private key file to be there, as the real sign-file does.

`mokutil` and `dkms status` run in every play and need none of the modules that are imported in functions here.

Source: Linux, scripts/sign-file.c and Documentation/admin-guide/module-signing.rst.
"""

from __future__ import annotations

import os

from . import modulefile

KEY, CERTIFICATE = "/var/lib/dkms/mok.key", "/var/lib/dkms/mok.pub"
MAKE = "openssl req -new -x509 -nodes -days 36500 -subj /CN=DKMS\\ module\\ signing\\ key -newkey ec -pkeyopt ec_paramgen_curve:P-256"


class Key:
    """A key that modules are signed with."""

    def __init__(self, signer: str, fingerprint: bytes) -> None:
        self.signer = signer
        self.fingerprint = fingerprint


def own_key() -> Key | None:
    """The key of this node, made when there is none; None when the configured one is not there."""
    key, certificate = _configured()
    missing = not (
        os.path.exists(key) and os.path.exists(certificate)
    )  # prepare_mok of dkms 3.0: one without the other is made anew
    if (key, certificate) == (KEY, CERTIFICATE) and missing:
        import subprocess

        os.makedirs(os.path.dirname(key), exist_ok=True)
        command = f"umask 077; {MAKE} -keyout {key} -outform DER -out {certificate} 2>/dev/null"
        subprocess.run(["/bin/sh", "-c", command], check=False)
    if not os.path.exists(key) or not os.path.exists(certificate):
        return None
    content = der(certificate)
    return Key(subject(content), fingerprint(content))


def signed(content: bytes, key: Key | None) -> bytes:
    """`content` signed with `key`; without a key as it is."""
    return modulefile.sign(content, key.signer, key.fingerprint) if key else content


def der(path: str) -> bytes:
    """A certificate file in DER, whether it holds DER or PEM."""
    with open(path, "rb") as file:
        content = file.read()
    if content.startswith(b"-----BEGIN"):
        import base64

        content = base64.b64decode(
            b"".join(line for line in content.split(b"\n") if line and not line.startswith(b"-"))
        )
    return content


def fingerprint(certificate: bytes) -> bytes:
    """SHA-1 of a certificate, as mokutil prints it."""
    import hashlib

    return hashlib.sha1(certificate).digest()  # noqa: S324 - an identifier, as mokutil has it


def subject(certificate: bytes) -> str:
    """Common name of the subject: the last UTF8String or PrintableString after the object id 2.5.4.3."""
    at = certificate.rfind(b"\x06\x03\x55\x04\x03")
    if at < 0:
        return "unknown"
    length = certificate[at + 6]
    return certificate[at + 7 : at + 7 + length].decode(errors="replace")


def _configured() -> tuple[str, str]:
    import glob

    settings = {"mok_signing_key": KEY, "mok_certificate": CERTIFICATE}
    for path in ["/etc/dkms/framework.conf", *sorted(glob.glob("/etc/dkms/framework.conf.d/*.conf"))]:
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    name, equals, value = line.strip().partition("=")
                    if equals and name in settings:
                        settings[name] = value.strip("\"'")
    return settings["mok_signing_key"], settings["mok_certificate"]
