"""Which signatures count: gpgv's words, not its exit status."""

import pytest

from rackwright.mirror.signature import Ring, SignatureError, binary, read_clearsigned, verify_detached

TEXT = b"Origin: here\n"


def test_a_good_one(gpg):
    text, signer = read_clearsigned(gpg.clearsign("vendor", TEXT), Ring(gpg.public("vendor")))
    assert text == TEXT
    assert signer == gpg.prints["vendor"]


@pytest.mark.parametrize("armor", [True, False])
def test_a_detached_one(gpg, armor):
    assert (
        verify_detached(TEXT, gpg.detach("vendor", TEXT, armor=armor), Ring(gpg.public("vendor")))
        == gpg.prints["vendor"]
    )


def test_text_around_the_signed_part_is_not_signed(gpg):
    text, _ = read_clearsigned(b"Origin: elsewhere\n" + gpg.clearsign("vendor", TEXT), Ring(gpg.public("vendor")))
    assert text == TEXT


def test_one_good_signature_of_several_is_enough(gpg):
    both = gpg.run("--faked-system-time", "20260601T000000!", "-u", "old", "-u", "vendor", "--clearsign", data=TEXT)
    assert read_clearsigned(both, Ring(gpg.public("vendor", "old")))[1] == gpg.prints["vendor"]
    assert read_clearsigned(both, Ring(gpg.public("vendor")))[1] == gpg.prints["vendor"]


@pytest.mark.parametrize(
    ("signed_by", "keys", "accepted", "reason"),
    [
        ("old", ["old"], [], "expired on 2026-07-01"),
        ("other", ["vendor"], [], "whose key was not given"),
        ("other", ["vendor", "other"], ["vendor"], "not a key that is accepted"),
    ],
)
def test_bad_ones(gpg, signed_by, keys, accepted, reason):
    ring = Ring(gpg.public(*keys), frozenset(gpg.prints[name] for name in accepted))
    with pytest.raises(SignatureError, match=reason):
        read_clearsigned(gpg.clearsign(signed_by, TEXT), ring)
    with pytest.raises(SignatureError, match=reason):
        verify_detached(TEXT, gpg.detach(signed_by, TEXT), ring)


def test_a_changed_one(gpg):
    changed = gpg.clearsign("vendor", TEXT).replace(b"here", b"there")
    with pytest.raises(SignatureError, match="was changed or damaged"):
        read_clearsigned(changed, Ring(gpg.public("vendor")))


@pytest.mark.parametrize("data", [b"", TEXT, b"\x00\xff" * 40, b"-----BEGIN PGP SIGNED MESSAGE-----\n"])
def test_what_is_no_signature(gpg, data):
    with pytest.raises(SignatureError, match="carries no signature"):
        read_clearsigned(data, Ring(gpg.public("vendor")))
    with pytest.raises(SignatureError, match="carries no signature"):
        verify_detached(TEXT, data, Ring(gpg.public("vendor")))


def test_a_revoked_key(gpg, tmp_path):
    gpg.prints.setdefault("gone", gpg.key("gone"))
    signed = gpg.clearsign("gone", TEXT)
    revocation = gpg.home / "openpgp-revocs.d" / f"{gpg.prints['gone']}.rev"
    gpg.run("--import", data=revocation.read_bytes().replace(b":-----BEGIN", b"-----BEGIN"))
    with pytest.raises(SignatureError, match="was revoked"):
        read_clearsigned(signed, Ring(gpg.public("gone")))


def test_keys_with_and_without_armor(gpg):
    plain = gpg.run("--export", "vendor")
    assert binary(gpg.public("vendor")) == plain
    assert binary(plain) == plain
    two = gpg.public("vendor") + gpg.public("other")
    assert binary(two) == plain + gpg.run("--export", "other")
    headed = (
        gpg.public("vendor")
        .replace(b"BLOCK-----\n", b"BLOCK-----\nVersion: x\nComment: y\n", 1)
        .replace(b"\n", b"\r\n")
    )
    assert binary(headed) == plain
