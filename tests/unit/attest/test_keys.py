from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from rackwright import attest
from rackwright.attest.keys import FORBIDDEN_MODE, PublicKey
from rackwright.base.errors import OutsideError, UsageError
from tests.unit.attest.examples import FACTS, signing_key

SOFTHSM = Path("/usr/lib/softhsm/libsofthsm2.so")


def no_secret(purpose: str) -> str:
    raise AssertionError(f"nobody may be asked for the {purpose}")


def load(path: Path) -> attest.SigningKey:
    return attest.load_signing_key(str(path), no_secret)


def pem(path: Path, key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey) -> Path:
    path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    path.chmod(0o600)
    return path


def test_a_key_is_written_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "key"
    public, fingerprint = attest.generate_key(path)
    assert path.stat().st_mode & FORBIDDEN_MODE == 0
    assert load(path).public.fingerprint == fingerprint
    assert attest.load_public(public.read_bytes(), "key.pub").fingerprint == fingerprint
    with pytest.raises(UsageError, match="never overwritten"):
        attest.generate_key(path)


@pytest.mark.parametrize(
    ("content", "mode", "words"),
    [
        (None, 0o644, "chmod 600"),
        (b"nonsense", 0o600, "holds no private key"),
        (b"-----BEGIN ENCRYPTED PRIVATE KEY-----", 0o600, "its passphrase is another"),
    ],
)
def test_a_key_that_cannot_be_used(tmp_path: Path, content: bytes | None, mode: int, words: str) -> None:
    path = tmp_path / "key"
    attest.generate_key(path)
    path.write_bytes(content or path.read_bytes())
    path.chmod(mode)
    with pytest.raises(UsageError, match=words):
        attest.load_signing_key(str(path), lambda _purpose: "x")


def test_no_key_and_keys_of_other_kinds(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load(tmp_path / "none")
    with pytest.raises(ValueError, match="no public key"):
        attest.load_public(b"x", "key.pub")
    for key in (rsa.generate_private_key(65537, 2048), ec.generate_private_key(ec.SECP521R1())):
        with pytest.raises(UsageError, match="another kind than an Ed25519"):
            load(pem(tmp_path / "other", key))
        public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        with pytest.raises(ValueError, match="another kind than an Ed25519"):
            attest.load_public(public, "key.pub")


def test_a_key_with_a_passphrase(tmp_path: Path) -> None:
    path, purposes = tmp_path / "key", []
    _, fingerprint = attest.generate_key(path, "correct horse")
    assert b"ENCRYPTED" in path.read_bytes()
    key = attest.load_signing_key(str(path), lambda purpose: purposes.append(purpose) or "correct horse")
    assert (key.public.fingerprint, purposes) == (fingerprint, [f"passphrase of {path}"])
    with pytest.raises(UsageError, match="its passphrase is another one"):
        attest.load_signing_key(str(path), lambda _purpose: "wrong")


@pytest.mark.parametrize("curve", [ec.SECP256R1(), ec.SECP384R1()], ids=lambda curve: curve.name)
def test_a_key_of_an_elliptic_curve_signs(tmp_path: Path, curve: ec.EllipticCurve) -> None:
    key = load(pem(tmp_path / "key", ec.generate_private_key(curve)))
    bundle = attest.write_bundle(tmp_path / "handover", {"a": b"1"}, FACTS, key)
    assert attest.check_bundle(bundle, attest.trust_in(key.public)).problems == ()
    assert attest.check_bundle(bundle).problems == ()
    (bundle / "a").write_bytes(b"2")
    assert attest.check_bundle(bundle, attest.trust_in(key.public)).problems


def test_the_private_key_is_in_no_file_of_the_bundle(tmp_path: Path) -> None:
    attest.generate_key(tmp_path / "key")
    secret = (tmp_path / "key").read_bytes().splitlines()[1]
    folder = attest.write_bundle(tmp_path / "out", {"a": b"1"}, FACTS, load(tmp_path / "key"))
    assert not any(secret in path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    "curve", [None, ec.SECP256R1(), ec.SECP384R1()], ids=lambda curve: getattr(curve, "name", "ed25519")
)
def test_the_fingerprint_is_the_one_of_ssh_keygen(tmp_path: Path, curve: ec.EllipticCurve | None) -> None:
    """It is also the key id that cosign derives."""
    private = ec.generate_private_key(curve) if curve else Ed25519PrivateKey.generate()
    path = tmp_path / "key.pub"
    path.write_bytes(private.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH))
    printed = subprocess.run(["ssh-keygen", "-lf", path], capture_output=True, text=True, check=True).stdout
    assert printed.split()[1] == PublicKey(private.public_key()).fingerprint == signing_key(private).public.fingerprint


@pytest.fixture
def token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PKCS#11 token with the ECDSA key 2, as a YubiKey has it; its public key as a PEM file."""
    monkeypatch.setenv("SOFTHSM2_CONF", str(tmp_path / "softhsm2.conf"))
    monkeypatch.setenv("PYKCS11LIB", str(SOFTHSM))
    (tmp_path / "tokens").mkdir()
    (tmp_path / "softhsm2.conf").write_text(f"directories.tokendir = {tmp_path}/tokens\n")
    private = ec.generate_private_key(ec.SECP256R1())
    here = ["softhsm2-util", "--token", "acceptance", "--pin", "1234"]
    for arguments in (
        ["--init-token", "--free", "--label", "acceptance", "--so-pin", "5678", "--pin", "1234"],
        ["--import", str(pem(tmp_path / "key", private)), "--label", "signing", "--id", "02"],
    ):
        command = here if arguments[0] == "--import" else here[:1]
        subprocess.run([*command, *arguments], check=True, capture_output=True, env=dict(os.environ))
    (tmp_path / "key").unlink()
    public = tmp_path / "key.pub"
    public.write_bytes(PublicKey(private.public_key()).pem)
    return public


def test_a_key_in_an_hsm_signs(token: Path, tmp_path: Path) -> None:
    key = attest.load_signing_key("hsm:2?label=acceptance", lambda _purpose: "1234", token)
    bundle = attest.write_bundle(tmp_path / "handover", {"a": b"1"}, FACTS, key)
    assert attest.check_bundle(bundle, attest.trust_in(attest.load_public(token.read_bytes(), ""))).problems == ()


def test_an_hsm_that_refuses(token: Path, tmp_path: Path) -> None:
    key = attest.load_signing_key("hsm:2?label=acceptance", lambda _purpose: "wrong", token)
    with pytest.raises(OutsideError, match="did not sign"):
        attest.write_bundle(tmp_path / "handover", {"a": b"1"}, FACTS, key)
    assert [path.name for path in (tmp_path / "handover").iterdir()] == [".lock"]
    with pytest.raises(UsageError, match="name its public key"):
        attest.load_signing_key("hsm:2?label=acceptance", no_secret)
    with pytest.raises(UsageError, match="needs the Python package google-cloud-kms"):
        attest.load_signing_key("gcpkms:projects/p/locations/l", no_secret, token)
