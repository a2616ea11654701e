"""A signed path is good for one machine, one purpose, one attempt and a while."""

from __future__ import annotations

import pytest

from rackwright.boot.signed_path import PathSigner, Right

RIGHT = Right("train-001.example.com", "install", 2, 1000)
SIGNER = PathSigner(b"key")


def test_what_was_signed_is_proven():
    assert SIGNER.verify(SIGNER.sign(RIGHT), "install", 999) == RIGHT


@pytest.mark.parametrize(
    ("text", "purpose", "now", "says"),
    [
        (SIGNER.sign(RIGHT), "home", 0, "for another purpose"),
        (SIGNER.sign(RIGHT), "install", 1000, "has expired"),
        (SIGNER.sign(RIGHT).replace("train-001", "train-002"), "install", 0, "signature"),
        (SIGNER.sign(RIGHT).replace(".1000.", ".9999."), "install", 0, "signature"),
        (SIGNER.sign(RIGHT).replace(".2.", ".3."), "install", 0, "signature"),
        (PathSigner(b"other").sign(RIGHT), "install", 0, "signature"),
        ("train-001.install.2.1000.é", "install", 0, "signature"),
        ("train-001", "install", 0, "no signed path"),
        ("train-001.install.x.1000.y", "install", 0, "no signed path"),
    ],
)
def test_what_was_not_signed_proves_nothing(text, purpose, now, says):
    assert says in SIGNER.verify(text, purpose, now)


def test_the_key_stays_in_its_file(tmp_path):
    first = PathSigner.of_file(tmp_path / "key")
    assert PathSigner.of_file(tmp_path / "key").verify(first.sign(RIGHT), "install", 0) == RIGHT
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
