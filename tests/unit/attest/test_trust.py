from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rackwright import attest
from rackwright.base.errors import ProblemsError
from tests.unit.attest.examples import FACTS, signing_key

OLD, NEW, STRANGER = (signing_key(Ed25519PrivateKey.from_private_bytes(bytes([number] * 32))) for number in (1, 2, 3))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, key in (("old", OLD), ("new", NEW)):
        (tmp_path / f"{name}.pub").write_bytes(key.public.pem)
    return tmp_path


def reason(folder: Path, rows: str, key: attest.SigningKey) -> str:
    (folder / "trust.yaml").write_text(f"keys:\n{rows}")
    bundle = attest.write_bundle(folder / "handover", {"a": b"1"}, FACTS, key)  # signed on 2026-11-21
    problems = attest.check_bundle(bundle, attest.load_trust(folder / "trust.yaml")).problems
    return "; ".join(problem.message for problem in problems)


ROTATED = """
- {key: old.pub, signer: team A, until: 2026-11-20}
- {key: new.pub, signer: team A, since: 2026-11-21}
"""


def test_keys_are_rotated(folder: Path) -> None:
    assert reason(folder, ROTATED, NEW) == ""
    assert (
        reason(folder, ROTATED, OLD) == "the key of team A signed until 2026-11-20, and this was signed on 2026-11-21"
    )
    assert reason(folder, ROTATED.replace("-20}", "-21}"), OLD) == ""
    later = ROTATED.replace("since: 2026-11-21", "since: 2026-11-22")
    assert reason(folder, later, NEW) == "the key of team A signs from 2026-11-22 on, and this was signed on 2026-11-21"


def test_a_revoked_key_signs_nothing(folder: Path) -> None:
    rows = "- {key: old.pub, signer: team A, revoked: the laptop was stolen}"
    assert reason(folder, rows, OLD) == "the key of team A was revoked: the laptop was stolen"


def test_a_strangers_key_signs_nothing(folder: Path) -> None:
    assert "which nobody has whom you trust" in reason(folder, ROTATED, STRANGER)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("- {key: none.pub, signer: A}", "trust.yaml:2: key: cannot be used"),
        ("- {key: trust.yaml, signer: A}", "trust.yaml holds no public key"),
        ("- {key: old.pub, signer: A, until: soon}", "trust.yaml:2: until: is no date"),
        ("- {key: old.pub, signer: A}\n- {key: old.pub, signer: B}", "trust.yaml:3: key: stands in two rows"),
        ("- {key: old.pub}", "signer"),
        ("- {key: old.pub, signer: A, untill: 2026-01-01}", "untill"),
        (" []", "names no key"),
    ],
)
def test_a_malformed_trust_file(folder: Path, rows: str, words: str) -> None:
    (folder / "trust.yaml").write_text(f"keys:\n{rows}\n")
    with pytest.raises(ProblemsError) as refused:
        attest.load_trust(folder / "trust.yaml")
    assert words in str(refused.value)
