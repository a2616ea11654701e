"""Signs the mirror's indexes: with a key of the operator's key ring, or with the mirror's own, made on first use.

``--sign-key`` names the operator's key by fingerprint or key id. The secret key stays in gpg, and gpg's agent asks for its passphrase.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rackwright.base.errors import OutsideError, UsageError
from rackwright.mirror.programs import run_program

OWNER = "rackwright mirror"
ALGORITHM = "rsa3072"
"""Of a key that is made here. In FIPS mode, in which hosts of the public sector run, libgcrypt has the curves of NIST alone (libgcrypt 1.10,
cipher/ecc-curves.c): gpg, and by it dnf and apt, then take no Ed25519 key. rpm 4.16 of EL 9 reads both (rpmio/digest_openssl.c)."""


class Signer:
    """One signing key, for as long as `open_signer` holds."""

    def __init__(self, key: str, environment: dict[str, str]) -> None:
        self._key = key
        self._environment = environment
        self.fingerprint, self.public = self._identity()

    def clearsign(self, text: bytes) -> bytes:
        """``InRelease``: the text with its signature around it."""
        return self._gpg("--clearsign", data=text)

    def detached(self, data: bytes) -> bytes:
        """``Release.gpg`` or ``repomd.xml.asc``: an armored signature."""
        return self._gpg("--armor", "--detach-sign", data=data)

    def sign_rpms(self, packages: Sequence[Path]) -> None:
        """Sign rpm packages in place (rpmsign(8)); OutsideError when rpmsign refuses."""
        home = {**os.environ, **self._environment}.get("GNUPGHOME", str(Path.home() / ".gnupg"))
        settings = {"_gpg_name": self.fingerprint, "_gpg_path": home, "__gpg": shutil.which("gpg") or "gpg"}
        words = [word for name, value in settings.items() for word in ("--define", f"{name} {value}")]
        result = run_program(["rpmsign", *words, "--addsign", *map(str, packages)], environment=self._environment)
        if result.returncode:
            raise OutsideError(
                f"rpmsign does not sign with {self._key}: {result.stderr.decode(errors='replace').strip()}"
            )

    def _identity(self) -> tuple[str, bytes]:
        public = self._gpg("--armor", "--export", self._key, sign=False)
        if b"BEGIN PGP PUBLIC KEY" not in public:
            raise UsageError(f"--sign-key {self._key}: gpg knows no such key; `gpg --list-secret-keys` lists yours")
        listed = self._gpg("--with-colons", "--list-keys", self._key, sign=False).decode()
        prints = [line.split(":")[9] for line in listed.splitlines() if line.startswith("fpr:")]
        return prints[0], public

    def _gpg(self, *arguments: str, data: bytes | None = None, sign: bool = True) -> bytes:
        signer = ["--local-user", self._key, "--digest-algo", "SHA256"] if sign else []
        result = run_program(["gpg", "--batch", "--yes", "--quiet", *signer, *arguments], data, self._environment)
        if result.returncode:
            reason = result.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["no reason given"]
            raise OutsideError(f"gpg does not sign with {self._key}: {reason[0]}; is its secret key here and unlocked?")
        return result.stdout


@contextmanager
def open_signer(key: str, home: Path) -> Iterator[Signer]:
    """The signer with key `key`, or with the one in `home`, which is created on first use."""
    if key:
        yield Signer(key, {})
        return
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    # gpg's agent listens on a socket in its home, and a socket's path may have 107 characters: so a short link to it.
    short = Path(tempfile.mkdtemp(prefix="rw-gpg-"))
    environment = {"GNUPGHOME": str(short / "home")}
    (short / "home").symlink_to(home.resolve())
    try:
        keys = run_program(["gpg", "--batch", "--with-colons", "--list-secret-keys"], environment=environment)
        if b"\nfpr:" not in keys.stdout:
            make = ["gpg", "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", ""]
            result = run_program(
                [*make, "--quick-generate-key", OWNER, ALGORITHM, "sign", "never"], environment=environment
            )
            if result.returncode:
                raise OutsideError(f"gpg makes no key in {home}: {result.stderr.decode(errors='replace').strip()}")
        yield Signer(OWNER, environment)
    finally:
        run_program(["gpgconf", "--kill", "gpg-agent"], environment=environment)
        shutil.rmtree(short, ignore_errors=True)
