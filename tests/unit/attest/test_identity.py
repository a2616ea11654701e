"""Sigstore identities: bundles of the public instances, and our own statement signed by an instance of the test."""

from __future__ import annotations

import argparse
import base64
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sigstore.models import Bundle

from rackwright import attest
from rackwright.attest import identity
from rackwright.base.errors import OutsideError, UsageError
from rackwright.cli.handover import attest as attest_verb
from rackwright.cli.main import main
from tests.sigstore_instance import ISSUER, SigstoreInstance, identity_token
from tests.unit.attest.examples import FACTS
from tests.unit.attest.test_bundle import FILES, KEY

CASES = Path(__file__).parents[2] / "cases" / "sigstore"
BEACON = "https://github.com/sigstore-conformance/extremely-dangerous-public-oidc-beacon/.github/workflows/extremely-dangerous-oidc-beacon.yml@refs/heads/main"
GITHUB = "https://token.actions.githubusercontent.com"
ANNA = "anna@example.com"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package keeps what it knows of the public instance in the home of its user."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))


@pytest.mark.parametrize(("name", "root"), [("public-log", None), ("second-log", "second-log-root")])
def test_a_bundle_of_a_public_instance_holds_for_who_signed_it(name: str, root: str | None) -> None:
    content = Bundle.from_json((CASES / f"{name}.json").read_bytes()).to_json().encode()
    path = CASES / f"{root}.json" if root else None
    payload = attest.TrustedIdentity(BEACON, GITHUB, path).open(content)
    assert json.loads(payload)["predicateType"] == "https://slsa.dev/provenance/v1"
    assert identity.own_payload(content) == (f"{BEACON}, as {GITHUB} states", payload)
    for stranger in ((ANNA, GITHUB), (BEACON, ISSUER)):
        with pytest.raises(ValueError, match=r"does not match|do not match"):
            attest.TrustedIdentity(*stranger, path).open(content)
    with pytest.raises(ValueError, match="not written as rackwright writes it"):
        attest.TrustedIdentity(BEACON, GITHUB, path).open(json.dumps(json.loads(content), indent=1).encode())


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("other-signature", "log entry signatures do not match bundle"),
        ("other-envelope", "log entry payload hash does not match bundle"),
        ("wrong-signature", "DSSE: invalid signature"),
        ("second-log", "not enough sources of verified time"),
    ],
)
def test_a_bundle_that_does_not_hold_is_a_sentence(name: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        attest.TrustedIdentity(BEACON, GITHUB).open((CASES / f"{name}.json").read_bytes())


@pytest.fixture(scope="module")
def instance(tmp_path_factory) -> Iterator[tuple[Path, Path]]:
    """Trusted root and configuration of a private instance."""
    with SigstoreInstance().served(tmp_path_factory.mktemp("sigstore")) as files:
        yield files


@pytest.fixture(scope="module")
def signed(instance: tuple[Path, Path], tmp_path_factory) -> Path:
    signer = attest.IdentitySigner(identity_token(ANNA), instance[1])
    return attest.write_bundle(tmp_path_factory.mktemp("signed") / "handover", FILES, FACTS, signer)


def messages(folder: Path, trust: attest.TrustedIdentity | attest.TrustedKeys | None) -> list[str]:
    return [problem.message for problem in attest.check_bundle(folder, trust).problems]


def test_a_handover_is_signed_by_an_identity(signed: Path, instance: tuple[Path, Path], tmp_path: Path) -> None:
    root, _ = instance
    checked = attest.check_bundle(signed, attest.TrustedIdentity(ANNA, ISSUER, root))
    assert (checked.problems, checked.key, checked.identity) == ((), "", f"{ANNA}, as {ISSUER} states")
    assert checked.statement is not None
    assert set(checked.statement.files) == set(FILES)
    assert (attest.signed_facts(signed), signed.name) == (FACTS, FACTS.run)
    assert messages(signed, None) == []
    for trust, words in (
        (attest.TrustedIdentity("bob@example.com", ISSUER, root), "SANs do not match bob@example.com"),
        (attest.TrustedIdentity(ANNA, GITHUB, root), "OIDCIssuer does not match"),
        (attest.TrustedIdentity(ANNA, ISSUER), "failed to build timestamp certificate chain"),  # of the public instance
        (attest.trust_in(KEY.public), "not with a key: name who must have signed"),
    ):
        [message] = messages(signed, trust)
        assert words in message
    by_key = attest.write_bundle(tmp_path / "by_key", FILES, FACTS, KEY)
    assert "with a key, not with a Sigstore identity" in messages(by_key, attest.TrustedIdentity(ANNA, ISSUER, root))[0]


def test_every_change_of_such_a_handover_is_found(signed: Path, instance: tuple[Path, Path]) -> None:
    trust = attest.TrustedIdentity(ANNA, ISSUER, instance[0])
    sealed, site = signed / attest.IDENTITY_ENVELOPE, signed / "site" / "site.yaml"
    original, declared = sealed.read_bytes(), site.read_bytes()
    envelope = json.loads(original)["dsseEnvelope"]
    payload = base64.b64decode(envelope["payload"])
    changed = base64.b64encode(payload.replace(b"train-001", b"train-002")).decode()
    try:
        site.write_bytes(declared + b"#")
        assert messages(signed, trust) == ["the file was changed"]
        site.write_bytes(declared)
        for content in (
            original.replace(envelope["payload"].encode(), changed.encode()),
            original.replace(b'"certificate"', b'"Certificate"'),
            *(original[:at] + bytes([original[at] ^ 1]) + original[at + 1 :] for at in range(0, len(original), 997)),
            original + b" ",
            b"",
            b"null",
            b"[" * 100_000,
            b'{"dsseEnvelope": {"payload": "e30=", "payloadType": 7, "signatures": [{}]}}',
        ):
            sealed.write_bytes(content)
            assert messages(signed, trust), content[:200]
    finally:
        sealed.write_bytes(original)
        site.write_bytes(declared)


def test_verify_names_the_identity(signed: Path, instance: tuple[Path, Path], capsys) -> None:
    trusted = ["--sigstore-identity", ANNA, "--sigstore-issuer", ISSUER, "--trusted-root", str(instance[0])]
    assert main(["verify", str(signed), *trusted]) == 0
    assert f"signed by {ANNA}, as {ISSUER} states" in capsys.readouterr().out
    assert main(["verify", str(signed)]) == 1
    assert "NOT VERIFIED: the certificate is the bundle's own" in capsys.readouterr().out
    for argv, words in (
        (trusted[:2], "name both --sigstore-identity and --sigstore-issuer"),
        (trusted[4:], "name it with --sigstore-identity"),
        ([*trusted[:5], str(signed)], "cannot be used"),
    ):
        assert main(["verify", str(signed), *argv]) == 2
        assert words in capsys.readouterr().err


def test_attest_signs_by_the_token_that_is_there(
    signed: Path, instance: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = argparse.ArgumentParser()
    attest_verb.add_signer(parser)
    args = parser.parse_args(["--sigstore", "--sigstore-config", str(instance[1])])
    monkeypatch.setenv("SIGSTORE_ID_TOKEN", identity_token("bob@example.com"))
    signer = attest_verb.chosen_signer(args)
    bundle = attest.write_bundle(tmp_path, FILES, FACTS, signer)
    assert attest_verb.bundle_lines(bundle, signer)[1] == f"signed by bob@example.com, as {ISSUER} states"
    monkeypatch.setenv("SIGSTORE_ID_TOKEN", "no token")
    with pytest.raises(UsageError, match="the identity token cannot be used"):
        attest.write_bundle(tmp_path, FILES, FACTS, attest_verb.chosen_signer(args))
    monkeypatch.delenv("SIGSTORE_ID_TOKEN")
    with pytest.raises(UsageError, match="this machine offers none"):
        attest_verb.chosen_signer(args)
    assert [path.name for path in tmp_path.glob("[!.h]*")] == [bundle.name]


def test_an_instance_that_does_not_answer_leaves_nothing(tmp_path: Path) -> None:
    with SigstoreInstance().served(tmp_path) as (_root, config):
        pass
    with pytest.raises(OutsideError, match="the Sigstore instance did not sign"):
        attest.write_bundle(tmp_path / "out", FILES, FACTS, attest.IdentitySigner(identity_token(ANNA), config))
    assert [path.name for path in (tmp_path / "out").iterdir()] == [".lock"]
    config.write_text("{}")
    with pytest.raises(UsageError, match=r"config\.json cannot be used"):
        attest.IdentitySigner(identity_token(ANNA), config).seal(b"{}")


def test_without_the_package_the_next_step_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sigstore.models", None)
    with pytest.raises(UsageError, match="pip install"):
        attest.TrustedIdentity(ANNA, ISSUER).open(b"")
