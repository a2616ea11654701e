"""The search of ``make crashes`` finds what it searches for."""

from __future__ import annotations

import base64

from benchmarks.killing.kept_secrets import leaks

PASSWORD = "0123456789abcdef01234567"


def test_a_secret_is_found_however_it_is_spelled(tmp_path):
    texts = {
        "out-0": PASSWORD,
        "work/state.json": base64.b64encode(f"admin:{PASSWORD}".encode()).decode(),
        "work/ledger.db": "x" + PASSWORD.encode().hex(),
        "work/secrets/munge.key": "a key of more than 16 bytes",
        "out-1": "has a key of more than 16 bytes",
        "out-boot server": "http://x/boot/train-001.boot.1.1795702800.AAAAAAAAAAAAAAAAAAAAAA/boot.ipxe",
        "work/boot/options": "http://x/boot/train-001.boot.1.1795702800.AAAAAAAAAAAAAAAAAAAAAA/boot.ipxe",
        "work/clean": "nothing",
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o600)
    (tmp_path / "work/secrets/munge.key").chmod(0o644)
    assert list(leaks(tmp_path, PASSWORD)) == [
        "the password is in out-0",
        "the content of munge.key is in out-1",
        "a signed path of the boot server is in out-boot server",
        "the password is in work/ledger.db",
        "work/secrets/munge.key can be read by others",
        "the password is in work/state.json",
    ]
