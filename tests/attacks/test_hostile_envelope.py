"""Envelopes and statements with anything in their fields: what is wrong is a problem of the bundle, and no bug of rackwright."""

from __future__ import annotations

import base64
import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from rackwright import attest
from rackwright.attest import envelope
from tests.unit.attest.examples import FACTS, signing_key

KEY = signing_key(Ed25519PrivateKey.from_private_bytes(bytes([1] * 32)))
ODD = (
    7,
    None,
    True,
    "x",
    "",
    [],
    {},
    ["x"],
    {"x": 7},
    "\ud800",
    10**30,
    "A" * 5000,
    "2026-99-01",
    "9999-12-31T23:59:59+14:00",
)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return attest.write_bundle(tmp_path_factory.mktemp("handover"), {"a": b"1"}, FACTS, KEY)


def paths(value: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Of every field, at every depth."""
    for name in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*above, name)
        yield from paths(value[name], (*above, name))


def changes(document: Any) -> Iterator[Any]:
    """`document` with something odd in one of its fields."""
    for *above, name in paths(document):
        for odd in ODD:
            changed = copy.deepcopy(document)
            place = changed
            for step in above:
                place = place[step]
            place[name] = odd
            yield changed


def test_no_field_of_an_envelope_is_a_bug(bundle: Path) -> None:
    file = bundle / attest.ENVELOPE
    sealed, trust = file.read_bytes(), attest.trust_in(KEY.public)
    for changed in changes(json.loads(sealed)):
        file.write_bytes(json.dumps(changed, indent=1).encode() + b"\n")
        for reader in (None, trust):
            assert attest.check_bundle(bundle, reader).problems
    file.write_bytes(sealed)
    assert attest.check_bundle(bundle, trust).problems == ()


def test_no_field_of_a_statement_is_a_bug(bundle: Path) -> None:
    """Somebody with a key signs anything."""
    file = bundle / attest.ENVELOPE
    sealed = file.read_bytes()
    payload = json.loads(base64.b64decode(json.loads(sealed)["payload"]))
    refused = 0
    for changed in changes(payload):
        file.write_bytes(envelope.seal(json.dumps(changed).encode(), KEY))
        refused += bool(attest.check_bundle(bundle).problems)
    assert refused > len(ODD) * len(payload) / 2
    file.write_bytes(sealed)
