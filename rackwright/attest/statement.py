"""The in-toto statement: the files of a handover by hash, and the facts about it (in-toto/attestation, spec/v1/statement.md, 2026-11-21)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from rackwright.attest.facts import HandoverFacts

TYPE = "https://in-toto.io/Statement/v1"
PREDICATE = "https://rackwright.dev/attestation/acceptance/v1"


@dataclass(frozen=True)
class Statement:
    """The content that was signed."""

    files: Mapping[str, str]
    """SHA-256 in hex by path in the bundle."""
    facts: HandoverFacts


def canonical_json(data: Any) -> bytes:
    """`data` as JSON with sorted keys and no spaces: equal data gives equal bytes."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(content: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(content).hexdigest()


def write(statement: Statement) -> bytes:
    """The statement as canonical JSON."""
    subject = [{"name": name, "digest": {"sha256": sha}} for name, sha in sorted(statement.files.items())]
    facts = statement.facts.model_dump(mode="json")
    return canonical_json({"_type": TYPE, "predicateType": PREDICATE, "subject": subject, "predicate": facts})


def read(payload: bytes) -> Statement:
    """The statement in `payload`. Raises ValueError with a sentence if it is not about an acceptance."""
    try:
        data = json.loads(payload)
        if (data["_type"], data["predicateType"]) != (TYPE, PREDICATE):
            raise ValueError("the attestation is about something else than an acceptance")
        subjects = [(str(subject["name"]), str(subject["digest"]["sha256"])) for subject in data["subject"]]
        facts = HandoverFacts.model_validate_json(json.dumps(data["predicate"]))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise ValueError(f"the attestation holds no statement of rackwright: {place}: {first['msg']}") from error
    except (KeyError, TypeError, RecursionError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError("the attestation holds no statement of rackwright") from error
    if len(dict(subjects)) < len(subjects):
        raise ValueError("the attestation names a file twice")
    return Statement(dict(subjects), facts)
