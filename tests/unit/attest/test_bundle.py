from __future__ import annotations

import base64
import json
import os
import shutil
import sys
from itertools import count
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import CryptoSigner, SSlibKey

from rackwright import attest
from rackwright.attest import envelope
from rackwright.base.errors import UsageError
from tests.examples import examples
from tests.unit.attest.examples import FACTS, signing_key

PRIVATE = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY, OTHER = signing_key(PRIVATE), signing_key(Ed25519PrivateKey.from_private_bytes(bytes(32)))
FILES = {
    "site/site.yaml": b"apiVersion: rackwright/v1\n",
    "verdicts.json": b'{"verdicts": []}',
    "evidence/objects/ab/abcd.gz": bytes(range(256)),
    "report/empty": b"",
}


@pytest.fixture(scope="module")
def signed(tmp_path_factory) -> Path:
    return attest.write_bundle(tmp_path_factory.mktemp("signed") / "handover", FILES, FACTS, KEY)


@pytest.fixture
def bundle(signed: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(signed, tmp_path / "handover"))


def changes(folder: Path, key=KEY) -> list[tuple[str, str]]:
    checked = attest.check_bundle(folder, attest.trust_in(key.public) if key else None)
    return [(Path(problem.place).name, problem.message) for problem in checked.problems]


def test_a_bundle_is_what_was_signed(bundle: Path) -> None:
    checked = attest.check_bundle(bundle, attest.trust_in(KEY.public))
    assert checked.problems == ()
    assert checked.statement.facts == FACTS
    assert set(checked.statement.files) == {*FILES, attest.PUBLIC_KEY}
    assert (checked.key, checked.files) == (KEY.public.fingerprint, len(FILES) + 2)
    assert changes(bundle, None) == []


def test_the_encoding_is_that_of_the_specification() -> None:
    assert Envelope(b"hello world", "http://example.com/HelloWorld", {}).pae() == (
        b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"  # protocol.md, test vector
    )


def test_the_statement_is_one_of_in_toto(bundle: Path) -> None:
    sealed = json.loads((bundle / attest.ENVELOPE).read_text())
    statement = json.loads(base64.b64decode(sealed["payload"]))
    assert sealed["payloadType"] == "application/vnd.in-toto+json"
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert {tuple(subject) for subject in statement["subject"]} == {("digest", "name")}
    assert statement["predicateType"].startswith("https://")


NAMES = [*FILES, attest.ENVELOPE, attest.PUBLIC_KEY]


@examples(400, suppress=(HealthCheck.function_scoped_fixture,))
@given(
    name=st.sampled_from([file for file in NAMES if file != "report/empty"]),
    place=st.floats(0, 1, exclude_max=True),
    flip=st.integers(1, 255),
)
@pytest.mark.parametrize("key", [KEY, None])
def test_any_changed_byte_is_found(signed: Path, key, name: str, place: float, flip: int) -> None:
    path = signed / name
    content = path.read_bytes()
    at = int(place * len(content))
    try:
        path.write_bytes(content[:at] + bytes([content[at] ^ flip]) + content[at + 1 :])
        assert changes(signed, key), f"byte {at} of {name}"
    finally:
        path.write_bytes(content)


@examples(100, suppress=(HealthCheck.function_scoped_fixture,))
@given(name=st.sampled_from(NAMES), more=st.binary(min_size=1, max_size=3), front=st.booleans())
def test_any_added_byte_is_found(signed: Path, name: str, more: bytes, front: bool) -> None:
    path = signed / name
    content = path.read_bytes()
    try:
        path.write_bytes(more + content if front else content + more)
        assert changes(signed, None)
    finally:
        path.write_bytes(content)


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_file_is_found(bundle: Path, name: str) -> None:
    (bundle / name).unlink()
    assert changes(bundle, None)


def test_an_added_file_a_link_and_a_swap_are_found(bundle: Path) -> None:
    (bundle / "evidence" / "more").write_text("x")
    assert changes(bundle) == [("more", "the file was added")]
    (bundle / "evidence" / "more").unlink()
    (bundle / "site" / "site.yaml").rename(bundle / "elsewhere")
    (bundle / "site" / "site.yaml").symlink_to(bundle / "elsewhere")
    assert changes(bundle) == [
        ("elsewhere", "the file was added"),
        ("site.yaml", "it is a link or a device, not a file"),
    ]


def test_another_key_is_refused(bundle: Path) -> None:
    [(_, message)] = changes(bundle, OTHER)
    assert "which nobody has whom you trust" in message


def test_a_bundle_that_somebody_else_signed_again_is_refused(bundle: Path, tmp_path: Path) -> None:
    forged = attest.write_bundle(tmp_path / "forged", FILES, FACTS, OTHER)
    assert changes(forged, None) == []  # whole in itself: without a trusted key nothing says who signed
    assert changes(forged, KEY)
    sealed = json.loads((forged / attest.ENVELOPE).read_text())
    sealed["signatures"][0]["keyid"] = KEY.public.fingerprint
    (forged / attest.ENVELOPE).write_text(json.dumps(sealed, indent=1) + "\n")
    [(_, message)] = changes(forged, KEY)
    assert "the signature is not from the key" in message


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"payload": 1, "payloadType": "x", "signatures": []}'])
def test_an_envelope_that_is_none(bundle: Path, text: str) -> None:
    (bundle / attest.ENVELOPE).write_text(text)
    [(_, message)] = changes(bundle)
    assert message == "the attestation is no envelope of rackwright"


def test_a_bundle_is_never_replaced(signed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "handover"
    first = attest.write_bundle(folder, FILES, FACTS, KEY)
    second = attest.write_bundle(folder, {"a": b"1"}, FACTS, KEY)
    assert (first.name, second.name) == (FACTS.run, f"{FACTS.run}.2")
    assert changes(first) == changes(second) == []
    assert sorted(path.name for path in second.iterdir()) == ["a", attest.ENVELOPE, attest.PUBLIC_KEY]
    with pytest.raises(UsageError, match="is a bundle itself"):
        attest.write_bundle(first, {"a": b"1"}, FACTS, KEY)
    with pytest.raises(UsageError, match="not lie inside"):
        attest.write_bundle(folder, {"../a": b"1"}, FACTS, KEY)
    assert sorted(path.name for path in folder.iterdir()) == [".lock", first.name, second.name]


@pytest.mark.parametrize("run", ["", "..", "../elsewhere", "a/b", ".hidden"])
def test_a_run_with_the_name_of_another_place_is_refused(tmp_path: Path, run: str) -> None:
    with pytest.raises(UsageError, match="no name of a run"):
        attest.write_bundle(tmp_path / "handover", FILES, FACTS.model_copy(update={"run": run}), KEY)
    assert [path.name for path in tmp_path.rglob("*")] == ["handover", ".lock"]


def test_two_files_that_are_swapped_are_both_named(bundle: Path) -> None:
    longer, shorter = [bundle / name for name in FILES if (bundle / name).stat().st_size][:2]
    first, second = longer.read_bytes(), shorter.read_bytes()
    longer.write_bytes(second)
    shorter.write_bytes(first)
    assert set(changes(bundle)) == {(longer.name, "the file was changed"), (shorter.name, "the file was changed")}


@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_was_cut_off_is_found(bundle: Path, name: str) -> None:
    content = (bundle / name).read_bytes()
    if content:
        (bundle / name).write_bytes(content[: len(content) // 2])
        assert changes(bundle)


@pytest.mark.parametrize("name", [attest.ENVELOPE, attest.PUBLIC_KEY, "site/site.yaml"])
def test_a_link_out_of_the_bundle_is_found_even_to_the_same_bytes(bundle: Path, tmp_path: Path, name: str) -> None:
    (bundle / name).rename(tmp_path / "outside")
    (bundle / name).symlink_to(tmp_path / "outside")
    assert (Path(name).name, "it is a link or a device, not a file") in changes(bundle)


def test_a_folder_that_is_a_link_is_found(bundle: Path, tmp_path: Path) -> None:
    (bundle / "site").rename(tmp_path / "elsewhere")
    (bundle / "site").symlink_to(tmp_path / "elsewhere")
    assert ("site", "the file was added") in changes(bundle)


def test_a_name_that_is_no_text_is_told_all_the_same(bundle: Path) -> None:
    Path(os.fsdecode(os.fsencode(bundle) + b"/evil\xff")).write_text("x")
    assert changes(bundle) == [("evil\\xff", "the file was added")]


@pytest.mark.parametrize("name", ["../outside", "/etc/outside", "a/../../outside", attest.ENVELOPE, ""])
def test_a_bundle_writes_nothing_outside_of_itself(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="does not lie inside"):
        attest.write_bundle(tmp_path / "deep" / "out", {name: b"x"}, FACTS, KEY)
    assert not (tmp_path / "outside").exists()


RECORDED = b"""{
 "payload": "e30=",
 "payloadType": "application/vnd.in-toto+json",
 "signatures": [
  {
   "keyid": "56475aa75463474c0285df5dbf2bcab73da651358839e9b77481b2eab107708c",
   "sig": "dWG98CPWh3lAzt/mxzJ7Nc6Avgf2tjap4msM5gNmMV9Lpu+TWkZMk3lP/u6Su450zcqkLQw21MTZfwU07XgjCw=="
  }
 ]
}
"""
"""An envelope of ``{}`` signed by KEY, as rackwright wrote it before it used securesystemslib."""


def test_an_older_envelope_verifies() -> None:
    assert envelope.verify(envelope.read(RECORDED), KEY.public) == ""


def test_securesystemslib_verifies_a_bundle_with_the_public_key_beside_it(bundle: Path) -> None:
    """in-toto and the other tools of the family read envelopes with this library."""
    sealed = Envelope.from_dict(json.loads((bundle / attest.ENVELOPE).read_bytes()))
    public = load_pem_public_key((bundle / attest.PUBLIC_KEY).read_bytes())
    key = SSlibKey.from_crypto(public, keyid=next(iter(sealed.signatures)))
    assert sealed.verify([key], threshold=1) == {key.keyid: key}
    stranger = OTHER.public.verifier(key.keyid)
    with pytest.raises(VerificationError):
        sealed.verify([stranger], threshold=1)


def test_an_envelope_that_securesystemslib_signed_is_read(bundle: Path) -> None:
    sealed = Envelope(b"{}", envelope.PAYLOAD_TYPE, {})
    sealed.sign(CryptoSigner(PRIVATE, KEY.public.verifier()))
    content = json.dumps(sealed.to_dict(), indent=1).encode() + b"\n"
    assert envelope.verify(envelope.read(content), KEY.public) == ""


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"_type": "https://in-toto.io/Statement/v2"}, "about something else"),
        ({"predicate": []}, "holds no statement of rackwright"),
        ({"predicate": {"site": "pod"}}, "holds no statement of rackwright: run: Field required"),
        ({"subject": "x"}, "holds no statement of rackwright"),
        ({"subject": [{"name": "a", "digest": {}}]}, "holds no statement of rackwright"),
        ({"subject": [{"name": "a", "digest": {"sha256": sha}} for sha in "12"]}, "names a file twice"),
        ({"predicate": json.loads(FACTS.model_dump_json()) | {"created": "soon"}}, "created: Value error"),
        ({"predicate": json.loads(FACTS.model_dump_json()) | {"accepted": {"train-001": 1}}}, "accepted: Input"),
        ({"predicate": json.loads(FACTS.model_dump_json()) | {"rehearsal": "no"}}, "rehearsal: Input"),
    ],
)
def test_a_signed_statement_that_is_malformed_is_a_problem(bundle: Path, change: dict, words: str) -> None:
    """Whoever signs it: the reader gets a sentence."""
    statement = json.loads(envelope.read((bundle / attest.ENVELOPE).read_bytes()).payload)
    (bundle / attest.ENVELOPE).write_bytes(envelope.seal(json.dumps(statement | change).encode(), KEY))
    [(_, message)] = changes(bundle)
    assert words in message


@pytest.mark.parametrize("payload", [b"", b"{", b"\xff", b"[" * 100_000, b"null", b"1e999"])
def test_a_payload_that_is_no_statement_is_a_problem(bundle: Path, payload: bytes) -> None:
    (bundle / attest.ENVELOPE).write_bytes(envelope.seal(payload, KEY))
    [(_, message)] = changes(bundle)
    assert "holds no statement" in message


def killed_at(step: int, folder: Path) -> bool:
    """Write a bundle in a process that ends without a word before its file operation number `step`; False if it came to its end."""
    child = os.fork()
    if not child:
        steps = count(1)
        sys.addaudithook(
            lambda event, _args: (
                os._exit(9) if event.startswith(("open", "os.", "shutil.")) and next(steps) == step else None
            )
        )
        attest.write_bundle(folder, FILES, FACTS, KEY)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


def test_a_process_that_is_killed_anywhere_loses_nothing(tmp_path: Path) -> None:
    """Before every file operation: bundles that were there stay whole, a new one is whole or absent, and the next process goes on."""
    folder = tmp_path / "handover"
    written = {attest.write_bundle(folder, FILES, FACTS, KEY)}
    for step in count(1):
        killed = killed_at(step, folder)
        bundles = set(folder.glob("[!.]*"))
        assert written <= bundles
        assert all(changes(bundle) == [] for bundle in bundles - written)
        written = bundles
        if not killed:
            break
    assert step > 20
    assert changes(attest.write_bundle(folder, FILES, FACTS, KEY)) == []
    assert not list(folder.glob(".unfinished*"))
